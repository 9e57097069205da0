// The player's table: remembers how it should look, opens pay tables, asks for advice, keeps focus, counts the clock down.
// It knows no rule of a game: what may be done is in the page that the server sends.
(() => {
  "use strict";
  const root = document.documentElement;
  const table = () => document.getElementById("table");
  const read = (name) => { try { return localStorage.getItem(`croupier.${name}`) || ""; } catch { return ""; } };
  const keep = (name, value) => { try { localStorage.setItem(`croupier.${name}`, value); } catch { /* private window */ } };

  // How it looks.
  const showToggle = (button) => {
    const name = button.dataset.toggle;
    const value = read(name);
    if (value) root.dataset[name] = value; else delete root.dataset[name];
    button.setAttribute("aria-pressed", value ? "true" : "false");
  };
  for (const name of ["theme", "motion"]) if (read(name)) root.dataset[name] = read(name);
  document.querySelectorAll("[data-toggle]").forEach(showToggle);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-toggle]");
    if (!button) return;
    keep(button.dataset.toggle, read(button.dataset.toggle) ? "" : button.dataset.on || "on");
    showToggle(button);
    if (button.dataset.toggle === "advice") showAdvice(true);
  });

  // Pay tables, with the edge fetched when somebody looks.
  document.addEventListener("click", async (event) => {
    const opener = event.target.closest("[data-dialog]");
    const dialog = opener && document.getElementById(opener.dataset.dialog);
    if (dialog) {
      event.preventDefault();
      dialog.showModal();
      const edge = dialog.querySelector("[data-load]");
      if (edge) {
        const address = edge.dataset.load;
        edge.removeAttribute("data-load");
        edge.textContent = "House edge: computing …";
        try {
          await htmx.ajax("GET", address, { target: edge, swap: "innerHTML" });
        } catch { edge.dataset.load = address; }
      }
    } else if (event.target.tagName === "DIALOG") {
      event.target.close(); // the backdrop
    }
  });

  // Advice: asked for when the table has changed and somebody wants it.
  let advisedAt = "";
  const showAdvice = (now = false) => {
    const panel = document.getElementById("advice");
    const at = table() && table().dataset.revision;
    if (!panel || !at) return;
    panel.hidden = !read("advice");
    if (panel.hidden || (at === advisedAt && !now)) return;
    const has_cards = table().dataset.round !== "0";
    advisedAt = at;
    if (!has_cards) { panel.innerHTML = '<p class="small">Advice appears when it&rsquo;s your turn.</p>'; return; }
    panel.innerHTML = '<p class="small">computing …</p>';
    fetch(table().dataset.advice, { headers: { "HX-Request": "true" }, credentials: "same-origin" })
      .then((answer) => answer.text())
      .then((text) => { if (advisedAt === at) panel.innerHTML = text; })
      .catch(() => { panel.innerHTML = '<p class="small">Advice could not be had; it comes with the next question.</p>'; });
  };

  // Every chip laid and every undo gets an id of its own; one whose answer was lost is sent under the same id again.
  let chipNumber = 0;
  let lostId = "";
  document.addEventListener("htmx:config:request", (event) => {
    const request = event.detail.ctx.request;
    const body = request.body;
    if (!(body instanceof FormData) || !/^(lay|undo)/.test(body.get("do") || "")) return;
    chipNumber += 1;
    body.set("command", lostId || `${body.get("command")}-${chipNumber}`);
    lostId = "";
  });
  document.addEventListener("htmx:error", (event) => {
    const body = event.detail.ctx && event.detail.ctx.request && event.detail.ctx.request.body;
    if (body instanceof URLSearchParams && /^(lay|undo)/.test(body.get("do") || "")) lostId = body.get("command");
  });

  // The chip in hand stays in hand when the table is drawn anew.
  let chip = "";
  document.addEventListener("change", (event) => { if (event.target.name === "chip") chip = event.target.value; });
  const takeChip = () => {
    const radio = chip && document.getElementById(`chip-${chip}`);
    if (radio) radio.checked = true;
  };

  // Details stay open when the table is drawn anew.
  if (window.htmx) {
    htmx.registerExtension("keep-open", {
      htmx_before_morph_attr: (element, detail) => !(element.tagName === "DETAILS" && detail.attrName === "open"),
    });
  }

  // Who plays by keyboard keeps a place: when the button that had the focus is off or gone, the next useful one has it.
  let hadFocus = null;
  document.addEventListener("htmx:before:swap", (event) => {
    // An answer that was overtaken by a newer one is not shown.
    const revision = /id="table"[^>]* data-revision="(\d+)"/.exec((event.detail.ctx && event.detail.ctx.text) || "");
    if (revision && table() && Number(revision[1]) < Number(table().dataset.revision)) { event.preventDefault(); return; }
    const now = document.activeElement;
    hadFocus = now && now.closest && now.closest("#table") ? now : null;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (hadFocus && (!hadFocus.isConnected || hadFocus.disabled || hadFocus.offsetParent === null)) {
      const next = ["#answers button", "#b-again", "#b-deal", ".circle", "#bets button"]
        .map((wanted) => document.querySelector(`${wanted}:not(:disabled)`))
        .find((one) => one && one.offsetParent !== null);
      if (next) next.focus({ preventScroll: true });
    }
    hadFocus = null;
    takeChip();
    startClock();
    showAdvice();
    followRound();
  });

  // A new round brings the felt into sight, and changes the roads.
  const roundNow = () => (table() ? `${table().dataset.round} ${table().dataset.on}` : "");
  let roundBefore = roundNow();
  const followRound = () => {
    if (roundNow() === roundBefore) return;
    roundBefore = roundNow();
    const felt = table().querySelector(".felt").getBoundingClientRect();
    if (felt.top < -120 || felt.top > innerHeight / 2) table().scrollIntoView({ block: "start" });
    htmx.trigger(document.body, "round-over");
  };

  // The clock of the table, shown between true values.
  let ticking = null;
  const startClock = () => {
    clearInterval(ticking);
    const clock = document.getElementById("clock");
    if (!clock) return;
    const until = performance.now() + 1000 * Number(clock.dataset.seconds);
    ticking = setInterval(() => {
      const shown = document.getElementById("clock");
      if (!shown) { clearInterval(ticking); return; }
      shown.textContent = `${Math.max(0, Math.ceil((until - performance.now()) / 1000))} s`;
    }, 500);
  };
  startClock();
  showAdvice();

  // From the browser's memory of pages: what is shown there may be past.
  window.addEventListener("pageshow", (event) => { if (event.persisted && window.htmx && table()) htmx.trigger(document.body, "link-is-back"); });
})();
