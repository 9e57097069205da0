// How cards and chips come and go. The server sends the table as it is; what is new on it is shown in the order in which
// it happened: cards leave the shoe one by one, hidden ones are turned, and only then results and money move.
window.tableDeal = (() => {
  "use strict";
  const root = document.documentElement;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const sounds = () => window.tableSounds || { play: () => {} };
  // Milliseconds: between two cards, between two that the dealer draws, and how long a card flies and turns.
  const PACES = { slow: [620, 1250, 520, 620], normal: [230, 620, 300, 320] };
  const table = () => document.getElementById("table");
  const pace = () => (still.matches || document.hidden ? null : PACES[root.dataset.speed || "normal"] || null);
  const slots = () => [...document.querySelectorAll("#table .slot")];
  // A circle that the round fills has no name of its own, its place has.
  const placeOf = (circle) => circle.id || circle.parentElement.id;
  const isBack = (slot) => Boolean(slot.querySelector(".back"));
  const rowOf = (slot) => slot.closest(".hand, .hand-area");

  let timers = [];
  let moving = [];
  let finish = null;
  let before = null;

  const later = (at, work) => timers.push(setTimeout(work, at));
  const move = (element, frames, options) => {
    const motion = element.animate(frames, { fill: "backwards", easing: "cubic-bezier(0.2, 0.7, 0.3, 1)", ...options });
    moving.push(motion);
    return motion;
  };
  const from = (element, source) => {
    const here = element.getBoundingClientRect();
    const there = source.getBoundingClientRect();
    return { x: there.left + there.width / 2 - here.left - here.width / 2, y: there.top + there.height / 2 - here.top - here.height / 2 };
  };

  // What lay on the table before it is drawn anew.
  const remember = () => {
    if (finish) finish();
    const late = {};
    for (const one of document.querySelectorAll("#table [data-late]")) late[one.id] = one.textContent;
    before = {
      round: table() ? table().dataset.round : "",
      cards: new Map(slots().map((slot) => [slot.dataset.cardNumber, { back: isBack(slot), at: slot.getBoundingClientRect() }])),
      chips: new Map([...document.querySelectorAll("#table .circle")].map((one) => [one.id, one.querySelectorAll(".disc").length])),
      settled: new Set([...document.querySelectorAll("#table .circle:has(.came)")].map(placeOf)),
      late,
    };
  };

  const fly = (slot, at, time) => {
    const shoe = document.getElementById("shoe");
    const way = shoe && shoe.offsetParent ? from(slot, shoe) : { x: innerWidth / 3, y: -innerHeight / 3 };
    move(slot, [
      { transform: `translate(${way.x}px, ${way.y}px) rotate(38deg) scale(0.8)`, opacity: 0 },
      { opacity: 1, offset: 0.12 },
      { transform: "none", opacity: 1 },
    ], { delay: at, duration: time });
    later(at, () => sounds().play("card"));
  };

  const turn = (slot, at, time) => {
    slot.classList.add("is-back");
    move(slot, [{ transform: "none" }, { transform: "perspective(60rem) rotateY(90deg)" }], { delay: at, duration: time / 2, fill: "none", easing: "ease-in" });
    move(slot, [{ transform: "perspective(60rem) rotateY(-90deg)" }, { transform: "none" }], { delay: at + time / 2, duration: time / 2, fill: "none", easing: "ease-out" });
    later(at + time / 2, () => slot.classList.remove("is-back"));
    later(at, () => sounds().play("turn"));
  };

  // Steps in the order in which they happened: a card by its number, a turn after the cards that were out then.
  const stepsSince = (isNewRound) => {
    const steps = [];
    const squeezed = [];
    for (const slot of slots()) {
      const number = Number(slot.dataset.cardNumber);
      const known = isNewRound ? null : before.cards.get(slot.dataset.cardNumber);
      const turned = Number(slot.dataset.turned || 0);
      if (!known) steps.push({ key: number, slot, kind: "deal" });
      if (turned && (known ? known.back && !isBack(slot) : !isBack(slot))) steps.push({ key: turned + 0.5, slot, kind: "turn" });
      else if (!known && slot.closest("[data-squeeze]")) squeezed.push({ slot, number });
      if (known && !turned) {
        const here = slot.getBoundingClientRect();
        const [x, y] = [known.at.left - here.left, known.at.top - here.top];
        if (Math.abs(x) + Math.abs(y) > 8) move(slot, [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 260 });
      }
    }
    // Where two sides play, their cards lie face down and are squeezed: the first of each hand, then each that is drawn.
    for (const { slot, number } of squeezed) steps.push({ key: Math.max(number, 4) + 0.5 + rowNumber(slot) / 10 + number / 1000, slot, kind: "turn" });
    return steps.sort((one, other) => one.key - other.key);
  };
  const rowNumber = (slot) => [...document.querySelectorAll("#table .hand-area")].indexOf(slot.closest(".hand-area"));

  const collect = () => {
    const bank = document.getElementById("rack");
    const pays = [...document.querySelectorAll("#table .circle:not(.settled-before) .payout")];
    const takes = [...document.querySelectorAll("#table .circle:not(.settled-before) .taken")];
    if (!bank || !pace()) return;
    for (const one of takes) {
      const way = from(one, bank);
      move(one, [{ visibility: "visible", transform: "none" }, { visibility: "visible", transform: "none", offset: 0.3 }, { visibility: "visible", opacity: 1, offset: 0.8 }, { visibility: "visible", transform: `translate(${way.x}px, ${way.y}px)`, opacity: 0 }], { duration: 750, fill: "none", easing: "ease-in" });
    }
    for (const one of pays) {
      const way = from(one, bank);
      move(one, [{ transform: `translate(${way.x}px, ${way.y}px)`, opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "none" }], { duration: 600, delay: takes.length ? 350 : 0 });
    }
    if (pays.length || takes.length) sounds().play("chips");
    if (document.querySelector("#table .outcome.won")) sounds().play("won");
  };

  // The table is drawn anew: what is new on it comes in order.
  const show = () => {
    const now = table();
    if (!now || !before) return;
    const isNewRound = now.dataset.round !== before.round;
    const speeds = pace();
    const steps = speeds ? stepsSince(isNewRound) : [];
    const settled = [...document.querySelectorAll("#table .circle:has(.came)")];
    for (const one of settled) one.classList.toggle("settled-before", !isNewRound && before.settled.has(placeOf(one)));
    const hasSettled = settled.some((one) => !one.classList.contains("settled-before"));
    for (const one of document.querySelectorAll("#table .circle")) {
      const piles = one.querySelectorAll(".chip-pile .disc");
      if (piles.length && piles.length !== before.chips.get(one.id) && !now.matches(".in-round") && !hasSettled && speeds) toss(piles[piles.length - 1]);
    }
    const lateBefore = before.late;
    before = null;
    if (!steps.length) {
      if (hasSettled) collect();
      return;
    }
    const [gap, drawGap, flight, turnTime] = speeds;
    const last = new Map();
    const late = [...now.querySelectorAll("[data-late]")].map((one) => [one, one.textContent]);
    let at = 0;
    let hasTurned = false;
    for (const step of steps) {
      if (step.kind === "deal") {
        fly(step.slot, at, flight);
        if (steps.some((other) => other.slot === step.slot && other.kind === "turn")) step.slot.classList.add("is-back");
        last.set(rowOf(step.slot), at + flight);
        at += hasTurned ? drawGap : gap;
      } else {
        turn(step.slot, at + (hasTurned ? 0 : flight * 0.6), turnTime);
        last.set(rowOf(step.slot), at + flight + turnTime);
        at += turnTime + gap + (hasTurned ? 0 : flight * 0.6);
        hasTurned = true;
      }
    }
    const end = Math.max(...last.values()) + 120;
    now.classList.add("dealing");
    for (const [element, text] of late) if (element.id in lateBefore) { element.dataset.late = text; element.textContent = lateBefore[element.id]; }
    for (const [row, until] of last) { row.classList.add("filling"); later(until, () => row.classList.remove("filling")); }
    finish = () => {
      finish = null;
      timers.forEach(clearTimeout);
      moving.forEach((motion) => motion.cancel());
      timers = [];
      moving = [];
      for (const one of document.querySelectorAll("#table .is-back, #table .filling")) one.classList.remove("is-back", "filling");
      for (const one of document.querySelectorAll("#table [data-late]")) if (one.dataset.late) { one.textContent = one.dataset.late; one.dataset.late = ""; }
      now.classList.remove("dealing");
      document.dispatchEvent(new CustomEvent("croupier:dealt"));
      if (hasSettled) collect();
    };
    later(end, () => { if (finish) finish(); });
  };

  // A chip goes from the tray to where it is laid.
  const toss = (disc) => {
    const tray = document.querySelector(".chip input:checked + span");
    if (!tray || !tray.offsetParent) return;
    const way = from(disc, tray);
    move(disc, [{ transform: `translate(${way.x}px, ${way.y}px) scale(1.2)` }, { transform: "none" }], { duration: 230 });
    sounds().play("chip");
  };

  return { remember, show, finish: () => { if (finish) finish(); }, get isDealing() { return finish !== null; } };
})();
