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

  // Answers to quick presses may cross on their way: one that shows an older table than this page is left out.
  document.addEventListener("htmx:before:swap", (event) => {
    const shown = byId("terminal");
    const text = event.detail.ctx ? event.detail.ctx.text || "" : "";
    const sent = text.match(/^\s*<section id="terminal"[^>]*data-revision="(\d+)"/);
    if (shown && sent && !text.includes("<hx-partial") && Number(sent[1]) < Number(shown.dataset.revision)) event.preventDefault();
  });

  // The dialog opens when the server has sent a form for it, and closes when the step is done.
  let opener = "";
  const dialog = () => byId("card-dialog");
  const close = () => {
    if (dialog() && dialog().open) dialog().close();
  };
  document.addEventListener("htmx:after:swap", () => {
    const body = byId("card-body");
    if (!dialog() || !body || !body.firstElementChild) return;
    if (!dialog().open) {
      opener = document.activeElement ? document.activeElement.id : "";
      dialog().showModal();
    }
    const first = body.querySelector("[aria-invalid], input:not([type=hidden]), button");
    if (first && !body.contains(document.activeElement)) first.focus();
  });
  document.addEventListener("card-done", () => {
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
    byId("card-body").replaceChildren();
    const back = (opener && byId(opener)) || byId("main");
    if (back) back.focus();
  }, true);

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
