// A chart's cells say what every play is worth: by pointer, by tap, and by keyboard, where the arrow keys move about.
(() => {
  "use strict";
  const tip = () => document.getElementById("cell");
  const sign = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;
  let shown = null;

  const cellOf = (target) => target instanceof Element && target.closest("td.act[data-values]");

  const add = (parent, name, text, kind = "") => {
    const element = document.createElement(name);
    element.textContent = text;
    if (kind) element.className = kind;
    parent.append(element);
    return element;
  };

  const hide = () => {
    if (shown) shown.classList.remove("shown");
    shown = null;
    if (tip()) tip().hidden = true;
  };

  const show = (cell) => {
    const panel = tip();
    if (!panel || cell === shown) return;
    hide();
    shown = cell;
    cell.classList.add("shown");
    const values = cell.dataset.values.split(";").map((pair) => pair.split("="));
    values.sort((one, other) => other[1] - one[1]);
    panel.replaceChildren();
    add(panel, "h3", cell.dataset.up ? `${cell.dataset.hand} against ${cell.dataset.up}` : cell.dataset.hand);
    const list = add(panel, "dl", "");
    values.forEach(([word, value], place) => {
      add(list, "dt", word, place ? "" : "best");
      add(list, "dd", sign(Number(value)), place ? "" : "best");
    });
    if (cell.dataset.every && cell.dataset.up) add(panel, "small", "Values over all cards that the dealer may show.");
    const sheet = document.getElementById("sheet");
    if (sheet && sheet.dataset.drills) {
      const part = cell.closest("table").dataset.part;
      const link = add(panel, "a", "Drill this cell");
      const cells = cell.dataset.up ? `&cells=${encodeURIComponent(`${cell.dataset.hand}:${cell.dataset.up}`)}` : "";
      link.href = `${sheet.dataset.drills}?kind=${encodeURIComponent(part)}${cells}`;
    }
    panel.hidden = false;
    if (getComputedStyle(panel).position === "fixed") return;
    const box = cell.getBoundingClientRect();
    const frame = panel.offsetParent ? panel.offsetParent.getBoundingClientRect() : { left: 0, top: 0 };
    const left = Math.min(box.left, document.documentElement.clientWidth - panel.offsetWidth - 12);
    const below = box.bottom + panel.offsetHeight + 8 < window.innerHeight;
    panel.style.left = `${Math.max(8, left) - frame.left}px`;
    panel.style.top = `${(below ? box.bottom + 6 : box.top - panel.offsetHeight - 6) - frame.top}px`;
  };

  // One cell of each chart is in the order of the Tab key.
  const prepare = () => {
    for (const table of document.querySelectorAll("table.chart")) {
      table.querySelectorAll("td.act[data-values]").forEach((cell, place) => { cell.tabIndex = place ? -1 : 0; });
    }
  };

  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { hide(); return; }
    const cell = cellOf(event.target);
    const step = steps[event.key];
    if (!cell || !step) return;
    const row = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + step[0]];
    const next = row && row.cells[cell.cellIndex + step[1]];
    if (!next || !next.dataset.values) return;
    event.preventDefault();
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  document.addEventListener("focusin", (event) => {
    const cell = cellOf(event.target);
    if (cell) show(cell);
    else if (shown && tip() && !tip().contains(event.target)) hide();
  });
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const cell = cellOf(event.target);
    if (cell) show(cell);
    else if (shown && shown !== document.activeElement && tip() && !tip().contains(event.target)) hide();
  });
  document.addEventListener("click", (event) => {
    const cell = cellOf(event.target);
    if (cell) { cell.focus(); show(cell); }
  });
  // Cards that are picked are weighed again under other rules.
  const rulesNow = () => (document.getElementById("picked-rules") || {}).innerHTML;
  let rules = rulesNow();
  const weighAgain = () => {
    if (rulesNow() === rules) return;
    rules = rulesNow();
    const picks = document.getElementById("picks");
    if ([...picks.querySelectorAll("select")].every((select) => select.value)) picks.dispatchEvent(new CustomEvent("rules-changed"));
  };
  document.addEventListener("htmx:after:swap", () => { hide(); prepare(); weighAgain(); });
  prepare();
})();
