// The lab's pages: panels stay open or closed as their reader has them, also when one was opened while an answer was made.
(() => {
  "use strict";
  const panels = () => document.querySelectorAll("details[id]");
  let wereOpen = new Map();
  document.addEventListener("htmx:before:swap", () => { wereOpen = new Map([...panels()].map((one) => [one.id, one.open])); });
  document.addEventListener("htmx:after:swap", () => {
    for (const one of panels()) if (wereOpen.has(one.id)) one.open = wereOpen.get(one.id);
    const title = document.querySelector("form[data-title]");
    if (title) document.title = title.dataset.title;
    showUndo();
  });
  document.documentElement.classList.add("scripted");

  // Pays are stepped, reset and undone in their fields: whatever writes there is sent as if it were typed.
  const past = []; // what fields held, the latest change last
  const write = (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const showUndo = () => {
    const button = document.getElementById("undo");
    if (button) button.disabled = past.length === 0;
  };
  const isPay = (field) => field && field.matches && field.matches("input[id^=pays-]");
  const remember = (field, before) => {
    const last = past.at(-1);
    if (before !== field.value && !(last && last.id === field.id && last.typing)) past.push({ id: field.id, before, typing: true });
    showUndo();
  };
  const held = new Map();
  const endOfTyping = () => { if (past.length) past.at(-1).typing = false; };
  document.addEventListener("focusin", (event) => {
    if (!isPay(event.target)) return;
    held.set(event.target.id, event.target.value);
    endOfTyping();
  });
  document.addEventListener("input", (event) => {
    if (!isPay(event.target)) return;
    if (held.has(event.target.id)) remember(event.target, held.get(event.target.id));
    held.set(event.target.id, event.target.value);
  }, true);
  const change = (field, text) => {
    held.set(field.id, field.value);
    endOfTyping();
    write(field, text);
    endOfTyping();
  };
  const step = (field, by) => {
    const stepped = field.value.replace(/^\s*[\d,]+/, (number) => String(Math.max(0, Number(number.replaceAll(",", "")) + by)));
    if (!field.readOnly && stepped !== field.value) change(field, stepped);
  };
  document.addEventListener("keydown", (event) => {
    if (!isPay(event.target) || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    step(event.target, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step], [data-reset], [data-undo]");
    if (!button) return;
    const field = document.getElementById(button.dataset.for);
    if (button.dataset.step) step(field, Number(button.dataset.step));
    else if (button.dataset.reset) change(field, button.dataset.reset);
    else {
      let last = past.pop();
      while (last && !document.getElementById(last.id)) last = past.pop(); // of a form that is gone
      if (last) {
        held.delete(last.id);
        write(document.getElementById(last.id), last.before);
      }
      showUndo();
    }
  });
  showUndo();

  // Sliders write into the field that they stand below.
  document.addEventListener("input", (event) => {
    const slider = event.target.closest("input[data-slides]");
    if (!slider) return;
    const field = slider.form.elements[slider.dataset.slides];
    event.stopPropagation();
    write(field, `${slider.dataset.before || ""}${slider.value}${slider.dataset.after || ""}`);
  }, true);
})();
