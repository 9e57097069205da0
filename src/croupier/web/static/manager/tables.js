// The manager's tables: a phone shows each row as a card, whose cells are named by their columns; with `data-tools` a head
// puts its column in order, and columns may be left out, which is remembered.
(() => {
  "use strict";
  const hiddenIn = (name) => { try { return JSON.parse(localStorage.getItem(`croupier.columns.${name}`) || "[]"); } catch { return []; } };
  const keep = (name, hidden) => { try { localStorage.setItem(`croupier.columns.${name}`, JSON.stringify(hidden)); } catch { /* private window */ } };
  const headsOf = (table) => [...table.tHead.rows[0].cells];
  const linesOf = (table) => [...table.tBodies[0].rows].filter((row) => row.cells.length > 1);
  const nameOf = (head) => head.textContent.trim();

  // Amounts and counts go by their value, dates by their time, all else by its letters.
  const valueOf = (cell) => {
    const text = cell.textContent.trim();
    const number = Number(text.replace(/[$,%]/g, "").replace("−", "-"));
    if (text && !Number.isNaN(number)) return number;
    const at = /^[A-Z][a-z]{2} \d+, \d{4}/.test(text) ? Date.parse(text) : NaN;
    return Number.isNaN(at) ? text.toLowerCase() : at;
  };
  const compare = (a, b) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const putInOrder = (table, place, direction) => {
    const rows = linesOf(table).sort((a, b) => direction * compare(valueOf(a.cells[place]), valueOf(b.cells[place])));
    table.tBodies[0].append(...rows);
    headsOf(table).forEach((head, number) => {
      if (number === place) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  };
  const showColumns = (table) => {
    const hidden = hiddenIn(table.dataset.tools);
    headsOf(table).forEach((head, place) => {
      head.hidden = place > 0 && hidden.includes(nameOf(head));
      for (const row of linesOf(table)) row.cells[place].hidden = head.hidden;
    });
  };
  const addOrder = (table, head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "order";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => putInOrder(table, place, head.getAttribute("aria-sort") === "ascending" ? -1 : 1));
  };
  const addColumns = (table) => {
    const tools = document.createElement("div");
    tools.className = "table-tools no-print";
    tools.innerHTML = '<details><summary>Columns</summary><fieldset><legend class="unseen">Columns shown</legend></fieldset></details>';
    for (const head of headsOf(table).slice(1)) {
      const name = nameOf(head);
      const label = document.createElement("label");
      label.className = "inline";
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = !hiddenIn(table.dataset.tools).includes(name);
      box.addEventListener("change", () => {
        const others = hiddenIn(table.dataset.tools).filter((other) => other !== name);
        keep(table.dataset.tools, box.checked ? others : [...others, name]);
        showColumns(table);
      });
      label.append(box, name);
      tools.querySelector("fieldset").append(label);
    }
    table.closest(".scroll").before(tools);
  };
  const equip = () => {
    for (const table of document.querySelectorAll("table.data[data-tools], table.data[data-cards]")) {
      const heads = headsOf(table);
      for (const row of linesOf(table)) [...row.cells].forEach((cell, place) => { cell.dataset.label = nameOf(heads[place]); });
      table.classList.add("labeled");
      if (!table.dataset.tools || table.querySelector("button.order")) continue;
      addColumns(table);
      heads.forEach((head, place) => addOrder(table, head, place));
      showColumns(table);
    }
  };
  equip();
  document.addEventListener("htmx:after:swap", equip);
})();
