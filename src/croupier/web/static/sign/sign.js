// Counters of jackpots. Between two true values a counter rolls upward and never shows more than the newer one; it goes
// down only when the ledger did. Where the link is lost it stands still, and the sign says since when.
(() => {
  "use strict";

  const ROLL_MS = 3000;
  const SILENT_MS = 35000; // two heartbeats of the stream were missed
  const CENTS = /[0-9]/;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const counters = new Map();
  let heardAt = new Date();

  const dollars = (cents) =>
    `$${Math.floor(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;

  window.croupierDollars = dollars;

  class Counter {
    constructor(element) {
      this.element = element;
      this.entry = Number(element.dataset.entry);
      this.target = this.shown = Number(element.dataset.cents);
      this.strips = [];
      this.text = "";
      this.frame = null;
      this.draw();
    }

    // What the ledger holds; answers that were overtaken on their way are let go.
    hear(entry, cents) {
      if (entry < this.entry) return;
      this.entry = entry;
      if (cents === this.target) return;
      this.target = cents;
      for (const spoken of document.querySelectorAll(`[data-spoken="${this.element.dataset.meter}"]`)) {
        spoken.textContent = dollars(cents);
      }
      this.from = this.shown;
      this.since = performance.now();
      if (cents < this.shown || still.matches || document.hidden) this.settle();
      else if (this.frame === null) this.frame = requestAnimationFrame((now) => this.roll(now));
    }

    settle() {
      if (this.frame !== null) cancelAnimationFrame(this.frame);
      this.frame = null;
      this.shown = this.target;
      this.draw();
    }

    roll(now) {
      const share = Math.min(1, Math.max(0, (now - this.since) / ROLL_MS));
      const eased = 1 - (1 - share) ** 2;
      this.shown = Math.min(this.target, Math.max(this.shown, this.from + (this.target - this.from) * eased));
      if (share >= 1) {
        this.frame = null;
        this.shown = this.target;
      } else this.frame = requestAnimationFrame((later) => this.roll(later));
      this.draw();
    }

    draw() {
      const whole = Math.floor(this.shown);
      const text = dollars(whole);
      if (text.length !== this.text.length) this.build(text);
      this.text = text;
      this.element.dataset.shown = whole;
      let turning = this.shown - whole; // how far the digit to the right has carried this one along
      let rest = whole;
      for (const strip of this.strips) {
        const digit = rest % 10;
        strip.style.transform = `translateY(${-(digit + turning) * (100 / 11)}%)`;
        if (digit !== 9) turning = 0;
        rest = Math.floor(rest / 10);
      }
    }

    // One strip of digits for each place, the last place first.
    build(text) {
      this.strips = [];
      this.element.parentElement.style.setProperty("--letters", Math.max(text.length, 10)); // for the size of the type
      this.element.replaceChildren(
        ...[...text].map((letter) => {
          const place = document.createElement("span");
          if (!CENTS.test(letter)) {
            place.textContent = letter;
            return place;
          }
          place.className = "digit";
          const strip = document.createElement("span");
          strip.className = "strip";
          for (const digit of "01234567890") {
            const one = document.createElement("b");
            one.textContent = digit;
            strip.append(one);
          }
          place.append(strip);
          this.strips.unshift(strip);
          return place;
        }),
      );
    }
  }

  const hear = (meter, entry, cents) => {
    const counter = counters.get(meter);
    if (counter) counter.hear(entry, cents);
  };

  document.addEventListener("meters", (event) => {
    const { entry, meters } = JSON.parse(event.detail.data);
    heardAt = new Date();
    for (const one of meters) hear(`${one.jackpot}/${one.level}`, entry, Math.floor(one.meter_micros / 10000));
    const state = document.getElementById("state");
    const here = state && state.dataset.cap && counters.get(state.dataset.meter);
    if (here && here.target >= Number(state.dataset.cap)) window.htmx.trigger("#look", "look-again"); // at its maximum
  });

  // The state of a sign is asked for when the stream says that something changed. Where the stream has been silent for
  // longer than its heartbeats allow, the sign asks by itself: either it hears something new, or the link is down.
  let lastHeard = performance.now();
  document.addEventListener("htmx:sse:after:message", () => { lastHeard = performance.now(); });
  setInterval(() => {
    if (performance.now() - lastHeard < SILENT_MS || !document.getElementById("look")) return;
    lastHeard = performance.now();
    window.htmx.trigger("#look", "look-again");
  }, 5000);

  // Each win is news once: a share of the meter takes the whole sign, a fixed pay rings beside the amount. What was there
  // when the page came up is no news, but for a prize that was just paid.
  const PENDING_MS = 15000;
  const known = new Set();
  let isFirst = true;
  let curtain = null;
  const lower = () => {
    clearTimeout(curtain);
    document.body.classList.remove("takeover");
  };
  const celebrate = () => {
    const { countUp, rain, sounds } = window.croupierShow;
    for (const win of document.querySelectorAll("#state [data-win]")) {
      const { win: name, stage } = win.dataset;
      if (known.has(name)) continue;
      known.add(name);
      if (isFirst && stage !== "won") continue;
      if (stage === "toast") sounds.toast();
      if (stage !== "pending" && stage !== "won") continue;
      clearTimeout(curtain);
      document.body.classList.add("takeover");
      countUp(win.querySelector(".amount"));
      if (stage === "won") {
        rain.start();
        sounds.won();
      } else {
        sounds.hit();
        curtain = setTimeout(lower, PENDING_MS);
      }
    }
    isFirst = false;
    if (!document.querySelector("#state [data-stage=pending], #state [data-stage=won]")) {
      lower();
      rain.stop();
    }
  };

  // While nothing else happens, a wall that has no room for both shows its pay table and its last winners in turn.
  const TURN_MS = 12000;
  setInterval(() => {
    if (still.matches || document.hidden || document.getElementById("winners").hidden) document.body.classList.remove("turned");
    else document.body.classList.toggle("turned");
  }, TURN_MS);

  let again = null;
  const look = () => {
    const state = document.getElementById("state");
    if (!state) return;
    heardAt = new Date();
    if ((state.dataset.amount === "no") !== (counters.size === 0)) {
      location.reload(); // its amount is no longer shown, or shown again
      return;
    }
    hear(state.dataset.meter, Number(state.dataset.entry), Number(state.dataset.cents));
    celebrate();
    clearTimeout(again);
    const seconds = Number(state.dataset.again);
    if (seconds > 0) again = setTimeout(() => window.htmx.trigger("#look", "look-again"), seconds * 1000);
  };
  document.addEventListener("htmx:after:swap", look);

  document.body.addEventListener("link-is-down", () => {
    for (const counter of counters.values()) counter.settle();
    const line = document.getElementById("as-of");
    if (!line) return;
    line.textContent = `as of ${heardAt.toLocaleTimeString("en-US", { hour12: false })}`;
    line.hidden = false;
  });
  document.body.addEventListener("link-is-back", () => {
    const line = document.getElementById("as-of");
    if (line) line.hidden = true;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) for (const counter of counters.values()) counter.settle();
  });

  for (const element of document.querySelectorAll(".counter[data-meter]")) {
    counters.set(element.dataset.meter, new Counter(element));
  }
  look();
})();
