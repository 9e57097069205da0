// What every page does: shows the state of its link, dismisses messages, and runs keys. It decides no rule of a game.
(() => {
  "use strict";

  const link = () => document.getElementById("link");
  let downSince = null;

  const linkIsDown = () => {
    if (downSince === null) {
      downSince = new Date();
      document.body.dispatchEvent(new CustomEvent("link-is-down"));
    }
    const line = link();
    if (!line) return;
    line.hidden = false;
    line.textContent = `The link to the server is down since ${downSince.toLocaleTimeString()}. What you see is from then; it catches up by itself.`;
    document.body.classList.add("link-down");
  };

  const linkIsUp = () => {
    const line = link();
    if (downSince !== null && line) {
      line.hidden = true;
      line.textContent = "";
      document.body.dispatchEvent(new CustomEvent("link-is-back"));
    }
    downSince = null;
    document.body.classList.remove("link-down");
  };

  document.addEventListener("htmx:sse:error", linkIsDown);
  document.addEventListener("htmx:sse:after:connection", linkIsUp);
  document.addEventListener("htmx:sse:close", (event) => {
    if (event.detail && event.detail.reason === "ended") linkIsDown();
  });
  window.addEventListener("offline", linkIsDown);
  document.addEventListener("htmx:error", linkIsDown);
  document.addEventListener("htmx:after:request", (event) => {
    const status = event.detail && event.detail.ctx && event.detail.ctx.response && event.detail.ctx.response.status;
    if (status) linkIsUp();
    // A command that was done clears the refusal of the one before.
    if (status && status < 400 && event.detail.ctx.request && event.detail.ctx.request.method === "POST") {
      const notice = document.getElementById("notice");
      if (notice) notice.replaceChildren();
    }
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-dismiss]");
    if (button) button.closest(".notice").remove();
  });

  // Keys: an element with data-key is pressed by that key, unless somebody is typing.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const typing = event.target.closest("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select");
    if (typing) return;
    const wanted = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    for (const one of document.querySelectorAll("[data-key]")) {
      if (one.dataset.key === wanted && !one.disabled && one.offsetParent !== null) {
        event.preventDefault();
        one.focus();
        one.click();
        return;
      }
    }
  });
})();
