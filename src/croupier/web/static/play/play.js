// The player's table: remembers its settings, opens pay tables, asks for advice, keeps focus, counts the clock down.
// It knows no rule of a game: what may be done is in the page that the server sends.
(() => {
  "use strict";
  const root = document.documentElement;
  const table = () => document.getElementById("table");
  const deal = window.tableDeal || { remember() {}, show() {}, finish() {} }; // a replay has no deal to watch
  const read = (name) => { try { return localStorage.getItem(`croupier.${name}`) || ""; } catch { return ""; } };
  const keep = (name, value) => { try { localStorage.setItem(`croupier.${name}`, value); } catch { /* private window */ } };

  // Settings, kept by the browser: each stands as `data-NAME` on the root. Whoever wants to know of a change listens.
  const SETTINGS = { advice: ["off", "on", "after"], speed: ["normal", "slow", "instant"], sound: ["on", "off"], deck: ["two", "four"] };
  const setting = (name) => (SETTINGS[name].includes(read(name)) ? read(name) : SETTINGS[name][0]);
  const showSettings = () => {
    for (const name of Object.keys(SETTINGS)) root.dataset[name] = setting(name);
    const theme = read("theme") || "system";
    for (const radio of document.querySelectorAll("[data-setting]")) {
      const name = radio.dataset.setting;
      radio.checked = radio.value === (name === "theme" ? theme : setting(name));
    }
    const mute = document.getElementById("mute");
    if (mute) { mute.hidden = false; mute.setAttribute("aria-pressed", String(setting("sound") === "on")); }
  };
  const set = (name, value) => {
    if (name === "theme") {
      keep("theme", value === "system" ? "" : value);
      if (value === "system") delete root.dataset.theme; else root.dataset.theme = value;
    } else keep(name, value);
    showSettings();
    document.dispatchEvent(new CustomEvent("croupier:setting", { detail: { name, value } }));
    if (name === "advice") showAdvice(true);
  };
  document.addEventListener("change", (event) => { if (event.target.dataset.setting) set(event.target.dataset.setting, event.target.value); });
  document.addEventListener("click", async (event) => {
    if (event.target.closest("#mute")) set("sound", setting("sound") === "on" ? "off" : "on");
    const invite = event.target.closest("[data-copy-link]");
    if (!invite) return;
    event.preventDefault();
    const said = document.getElementById("copied");
    try {
      await navigator.clipboard.writeText(invite.href);
      said.textContent = "The link to this table is copied.";
    } catch { said.textContent = `The link to this table: ${invite.href}`; }
    said.className = "copied";
    setTimeout(() => { said.className = "unseen"; said.textContent = ""; }, 4000);
  });
  showSettings();

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
    panel.hidden = setting("advice") === "off";
    if (panel.hidden || (at === advisedAt && !now)) return;
    const has_cards = table().dataset.round !== "0";
    advisedAt = at;
    if (!has_cards) { panel.innerHTML = setting("advice") === "on" ? '<p class="small">Advice appears when it&rsquo;s your turn.</p>' : '<p class="small">Each answer is judged as soon as you give it.</p>'; return; }
    panel.innerHTML = '<p class="small">computing …</p>';
    fetchAdvice(panel, at);
  };
  // Each button says what its answer is worth, where the eye and the thumb are; the panel says it to readers of screens.
  const priceAnswers = (panel) => {
    for (const line of panel.querySelectorAll("tr[data-word]")) {
      const button = document.getElementById(`a-${line.dataset.word}`);
      if (!button) continue;
      button.classList.toggle("is-best", line.classList.contains("best"));
      const worth = button.querySelector(".worth") || button.appendChild(document.createElement("span"));
      worth.className = "worth";
      worth.setAttribute("aria-hidden", "true");
      worth.textContent = line.dataset.worth;
    }
  };
  // What is not computed yet is asked for again, while the question is the same.
  const fetchAdvice = (panel, at) => {
    fetch(`${table().dataset.advice}?mode=${setting("advice")}`, { headers: { "HX-Request": "true" }, credentials: "same-origin" })
      .then((answer) => answer.text())
      .then((text) => {
        if (advisedAt !== at) return;
        panel.innerHTML = text;
        priceAnswers(panel);
        if (panel.querySelector("[data-again]")) setTimeout(() => { if (advisedAt === at && !panel.hidden) fetchAdvice(panel, at); }, 1000);
      })
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
    // An answer that was overtaken by a newer one is not shown, nor one twice: the second would end the deal of the first.
    const revision = /id="table"[^>]* data-revision="(\d+)"/.exec((event.detail.ctx && event.detail.ctx.text) || "");
    const [shownAt, sentAt] = [Number(table() && table().dataset.revision), revision && Number(revision[1])];
    const isAgain = event.detail.ctx && event.detail.ctx.request && event.detail.ctx.request.method === "GET" && sentAt === shownAt;
    if (revision && table() && (sentAt < shownAt || isAgain)) { event.preventDefault(); return; }
    const now = document.activeElement;
    hadFocus = now && now.closest && now.closest("#table") ? now : null;
    if (revision && table()) deal.remember();
  });
  document.addEventListener("htmx:after:swap", () => {
    if (hadFocus && (!hadFocus.isConnected || hadFocus.disabled || hadFocus.offsetParent === null)) {
      // No answer has the focus by itself: who keeps pressing Enter must not buy anything.
      const next = ["#question", "#b-again", "#b-deal", ".circle", "#bets button"]
        .map((wanted) => document.querySelector(`${wanted}:not(:disabled)`))
        .find((one) => one && one.offsetParent !== null);
      if (next) next.focus({ preventScroll: true });
    }
    hadFocus = null;
    takeChip();
    deal.show();
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
    table().querySelector(".felt").scrollTop = 0;
    const felt = table().querySelector(".felt").getBoundingClientRect();
    if (felt.top < -120 || felt.top > innerHeight / 2) document.getElementById("main").scrollIntoView({ block: "start" });
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

  // A press goes on at once: it ends what is still being dealt.
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, (event) => { if (event.target.closest(".controls") || kind === "keydown") deal.finish(); }, true);

  // From the browser's memory of pages: what is shown there may be past.
  window.addEventListener("pageshow", (event) => { if (event.persisted && window.htmx && table()) htmx.trigger(document.body, "link-is-back"); });
})();
