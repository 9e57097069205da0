// The dealer terminal: slides, the card dialog, live meters. It sends what was pressed; the server decides.
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);

  // A slide sends its form when it reaches its end, by drag, by End or by Enter; let go before, it springs back.
  const slid = (slide) => {
    const form = slide.form;
    if (Number(slide.value) < Number(slide.max)) {
      slide.value = 0;
      return;
    }
    slide.value = 0;
    if (form.reportValidity()) form.requestSubmit();
  };
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-slide]")) slid(event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches("[data-slide]") || event.repeat) return;
    if (event.key === "Enter" || event.key === "End") {
      event.preventDefault();
      event.target.value = event.target.max;
      slid(event.target);
    }
  });

  // The choice of a seat is this page's: each request carries it as it is when it is sent. A lesson has no refresh that
  // could cross a press, and needs none of this.
  const isLive = byId("stream") !== null;
  let chosen = isLive && byId("terminal") ? byId("terminal").dataset.chosen : "";
  document.addEventListener("htmx:config:request", (event) => {
    const ctx = event.detail.ctx;
    if (!isLive || !ctx.target || ctx.target.id !== "terminal") return;
    if (ctx.sourceElement.hasAttribute("data-choose")) chosen = ctx.sourceElement.dataset.choose;
    ctx.request.body.set(ctx.request.method === "GET" ? "seat" : "chosen", chosen);
    ctx.askedFor = chosen;
  });

  // Answers may cross on their way: a table that is older than the one shown, or that was asked for before another seat
  // was chosen, is left out. What it said above the table stays, and what was new in it is asked for again.
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks = [] } = event.detail;
    const shown = byId("terminal");
    const at = tasks.findIndex((task) => task.fragment && task.fragment.querySelector("#terminal"));
    if (!isLive || !shown || at < 0) return;
    const sent = tasks[at].fragment.querySelector("#terminal");
    const isOlder = Number(sent.dataset.revision) < Number(shown.dataset.revision);
    const isForAnother = ctx.askedFor !== undefined && ctx.askedFor !== chosen;
    if (!isOlder && !isForAnother) return;
    tasks.splice(at, 1);
    if (isForAnother || ctx.sourceElement !== shown) shown.dispatchEvent(new CustomEvent("ask-again"));
  });

  // PINs are typed, or tapped on keys, into the field that was last in use, else the first empty one. After a card that
  // was refused only its own PIN is asked for again: the others stay in this page until the dialog is closed.
  let pinField = "";
  const pins = new Map();
  const showPinKeys = (body) => {
    for (const keys of body.querySelectorAll("[data-pin-keys]")) keys.hidden = false;
    const isAgain = body.querySelector("#card-problem") !== null;
    for (const field of body.querySelectorAll("[data-pin]")) {
      if (isAgain && !field.hasAttribute("data-wrong") && !field.value) field.value = pins.get(field.name) || "";
      if (!field.value && (!pinField || field.hasAttribute("data-wrong"))) pinField = field.name;
    }
    pins.clear();
  };
  const pinFieldOf = (form) => {
    const fields = [...form.querySelectorAll("[data-pin]")];
    return fields.find((field) => field.name === pinField) || fields.find((field) => !field.value) || fields[0];
  };
  document.addEventListener("htmx:config:request", (event) => {
    const form = event.detail.ctx.sourceElement;
    if (!form.closest("#card-body") || !form.querySelectorAll) return;
    for (const field of form.querySelectorAll("[data-pin]")) pins.set(field.name, field.value);
  });
  document.addEventListener("focusin", (event) => { if (event.target.matches("[data-pin]")) pinField = event.target.name; });
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-digit], [data-pin-back], [data-demo]");
    if (!key) return;
    const form = key.closest("form");
    if (key.hasAttribute("data-demo")) {
      form.elements[key.dataset.demo].value = key.dataset.card;
      form.elements[key.dataset.demo === "card" ? "pin" : "second_pin"].value = key.dataset.pinValue;
      return;
    }
    const field = pinFieldOf(form);
    field.value = key.dataset.digit ? field.value + key.dataset.digit : field.value.slice(0, -1);
  });

  // The dialog opens when the server has sent a form for it, and closes when the step is done.
  let opener = "";
  const dialog = () => byId("card-dialog");
  // Emptied at once, not when the browser tells that it is closed: a refresh in between would open it again.
  const empty = () => {
    pins.clear();
    pinField = "";
    byId("card-body").replaceChildren();
  };
  const close = () => {
    if (!dialog() || !dialog().open) return;
    empty();
    dialog().close();
  };
  document.addEventListener("cancel", (event) => { if (event.target === dialog()) empty(); }, true);
  document.addEventListener("htmx:after:swap", () => {
    const body = byId("card-body");
    if (!dialog() || !body || !body.firstElementChild) return;
    if (!dialog().open) {
      opener = document.activeElement ? document.activeElement.id : "";
      dialog().showModal();
    }
    showPinKeys(body);
    const first = body.querySelector("[data-wrong], input:not([type=hidden]):placeholder-shown, input:not([type=hidden]), button");
    if (first && !body.contains(document.activeElement)) first.focus();
  });
  document.addEventListener("card-done", () => {
    chosen = "";
    close();
    const notice = byId("notice");
    if (notice) notice.replaceChildren();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("#card-dialog [data-close]")) {
      event.preventDefault();
      close();
    }
    if (event.target.closest("[data-print]")) window.print();
  });
  document.addEventListener("close", (event) => {
    if (event.target !== dialog()) return;
    const back = (opener && byId(opener)) || byId("main");
    if (back) back.focus();
  }, true);

  // Keys for playing cards: a rank, then a suit, into the hand that was last in use. The field stays the truth, so that
  // typing does the same, and the server names the hand that the cards make.
  let rank = "";
  let hand = "";
  const showKeys = () => { for (const keys of document.querySelectorAll("[data-card-keys]")) keys.hidden = false; };
  const pressRank = (keys, wanted) => {
    rank = wanted;
    for (const one of keys.querySelectorAll("[data-rank]")) one.setAttribute("aria-pressed", String(one.dataset.rank === rank));
  };
  document.addEventListener("focusin", (event) => { if (event.target.matches("[data-cards]")) hand = event.target.id; });
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-card-keys] button");
    if (!key) return;
    const keys = key.closest("[data-card-keys]");
    const fields = [...key.closest("[data-proof]").querySelectorAll("[data-cards]")];
    const field = fields.find((one) => one.id === hand) || fields[0];
    const cards = field.value.split(/[\s,]+/).filter(Boolean);
    if (key.dataset.rank) {
      pressRank(keys, key.dataset.rank);
      return;
    }
    if (key.hasAttribute("data-take-back")) cards.pop();
    else if (rank) cards.push(rank + key.dataset.suit);
    else return;
    pressRank(keys, "");
    field.value = cards.join(" ");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("htmx:after:swap", showKeys);
  showKeys();

  // Meters of linked tables move without anything happening here.
  const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  document.addEventListener("meters", (event) => {
    for (const one of JSON.parse(event.detail.data).meters) {
      const shown = document.querySelector(`[data-meter="${CSS.escape(one.jackpot)}/${CSS.escape(one.level)}"]`);
      if (shown && !shown.hasAttribute("data-still")) shown.textContent = money.format(Math.floor(one.meter_micros / 10000) / 100);
    }
  });

  for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
})();
