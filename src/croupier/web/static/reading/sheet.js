// Odds sheets: each table can be copied, as a spreadsheet takes it.
(() => {
  "use strict";

  const textOf = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim().replace(/\s+/g, " ")).join("\t")).join("\n");

  const add = () => {
    for (const table of document.querySelectorAll(":is(#sheet, #booklet) .scroll > table.data")) {
      const frame = table.parentElement;
      if (table.rows.length < 3 || (frame.nextElementSibling && frame.nextElementSibling.matches(".copy-table"))) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet copy-table no-print";
      button.textContent = "Copy table";
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(textOf(table));
          button.textContent = "Copied";
        } catch {
          button.textContent = "The browser does not let this page copy";
        }
        setTimeout(() => { button.textContent = "Copy table"; }, 2500);
      });
      frame.after(button);
    }
  };

  add();
  document.addEventListener("htmx:after:swap", add);
})();
