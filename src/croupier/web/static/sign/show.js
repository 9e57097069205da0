// What a sign makes of a win: rays and falling coins, the amount counted up to what the ledger holds, and sounds made here.
// Nothing of it decides what is shown, and with reduced motion nothing moves.
(() => {
  "use strict";

  const COUNT_MS = 5000;
  const RAIN_MS = 14000;
  const MOST_COINS = 140;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const clamp = (share) => Math.min(1, Math.max(0, share));
  const lit = () => getComputedStyle(document.documentElement).getPropertyValue("--lit").trim() || "#ffd873";

  // The amount grows from nothing to what was won, and never beyond; readers of the page have it at once.
  const countUp = (element) => {
    const target = Number(element.dataset.count);
    const full = element.textContent;
    if (still.matches || !target) return;
    const since = performance.now();
    const step = (now) => {
      if (!element.isConnected) return;
      const share = clamp((now - since) / COUNT_MS);
      const cents = Math.floor(target * (1 - (1 - share) ** 3));
      element.textContent = share < 1 ? window.croupierDollars(cents) : full;
      if (share < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  };

  // Coins of gold, turning as they fall.
  class Rain {
    constructor(canvas) {
      this.canvas = canvas;
      this.pen = canvas.getContext("2d");
      this.coins = [];
      this.frame = null;
    }

    start() {
      if (still.matches) return;
      this.until = performance.now() + RAIN_MS;
      this.canvas.hidden = false;
      this.canvas.width = innerWidth;
      this.canvas.height = innerHeight;
      this.color = lit();
      if (this.frame === null) this.frame = requestAnimationFrame((now) => this.draw(now));
    }

    stop() {
      if (this.frame !== null) cancelAnimationFrame(this.frame);
      this.frame = null;
      this.coins = [];
      this.canvas.hidden = true;
    }

    coin() {
      const { width, height } = this.canvas;
      const size = Math.max(8, Math.min(width, height) * (0.018 + Math.random() * 0.028));
      return { x: Math.random() * width, y: -size * 2, size, fall: height * (0.0035 + Math.random() * 0.005), drift: (Math.random() - 0.5) * 1.5, turn: Math.random() * 7, spin: 0.05 + Math.random() * 0.15 };
    }

    draw(now) {
      const { pen, canvas } = this;
      if (now < this.until && this.coins.length < MOST_COINS && Math.random() < 0.6) this.coins.push(this.coin());
      pen.clearRect(0, 0, canvas.width, canvas.height);
      for (const coin of this.coins) {
        coin.x += coin.drift;
        coin.y += coin.fall;
        coin.fall *= 1.004;
        coin.turn += coin.spin;
        const flat = Math.max(0.08, Math.abs(Math.cos(coin.turn)));
        pen.save();
        pen.translate(coin.x, coin.y);
        pen.scale(flat, 1);
        pen.beginPath();
        pen.arc(0, 0, coin.size, 0, 2 * Math.PI);
        pen.fillStyle = this.color;
        pen.fill();
        pen.lineWidth = coin.size * 0.16;
        pen.strokeStyle = "rgb(90 60 0 / 0.55)";
        pen.stroke();
        pen.beginPath();
        pen.arc(0, 0, coin.size * 0.62, 0, 2 * Math.PI);
        pen.lineWidth = coin.size * 0.08;
        pen.strokeStyle = "rgb(255 255 255 / 0.6)";
        pen.stroke();
        pen.restore();
      }
      this.coins = this.coins.filter((coin) => coin.y < canvas.height + coin.size * 2);
      if (now < this.until || this.coins.length) this.frame = requestAnimationFrame((later) => this.draw(later));
      else this.stop();
    }
  }

  // Sounds are off until somebody allows them, and stay as they were chosen.
  class Sounds {
    constructor(button) {
      this.button = button;
      this.context = null;
      this.isOn = false;
      if (!button || !window.AudioContext) return;
      button.hidden = false;
      button.addEventListener("click", () => {
        this.set(!this.isOn);
        if (this.isOn) this.play([[0, 660, 0.12], [0.12, 880, 0.2]]);
      });
      try { this.set(localStorage.getItem("sign-sound") === "on"); } catch { /* nothing is kept here */ }
    }

    set(isOn) {
      this.isOn = isOn;
      this.button.setAttribute("aria-pressed", String(isOn));
      this.button.textContent = isOn ? "Sound on" : "Sound off";
      try { localStorage.setItem("sign-sound", isOn ? "on" : "off"); } catch { /* nothing is kept here */ }
    }

    // Notes as [second, hertz, length]: a bell is a tone that fades, with a softer one an octave above.
    play(notes) {
      if (!this.isOn) return;
      this.context = this.context || new AudioContext();
      this.context.resume();
      const { context } = this;
      const now = context.currentTime + 0.05;
      for (const [at, hertz, length] of notes) {
        for (const [times, loud] of [[1, 0.16], [2, 0.05]]) {
          const tone = context.createOscillator();
          const gain = context.createGain();
          tone.type = times === 1 ? "triangle" : "sine";
          tone.frequency.value = hertz * times;
          gain.gain.setValueAtTime(0.0001, now + at);
          gain.gain.exponentialRampToValueAtTime(loud, now + at + 0.02);
          gain.gain.exponentialRampToValueAtTime(0.0001, now + at + length);
          tone.connect(gain).connect(context.destination);
          tone.start(now + at);
          tone.stop(now + at + length + 0.05);
        }
      }
    }

    hit() { this.play([523, 659, 784, 1047, 784, 1047].map((hertz, i) => [i * 0.16, hertz, 0.5])); }

    won() {
      const fanfare = [[0, 523], [0.18, 659], [0.36, 784], [0.54, 1047], [0.9, 784], [1.08, 1047]].map(([at, hertz]) => [at, hertz, 0.7]);
      const chord = [523, 659, 784, 1047].map((hertz) => [1.4, hertz, 2.4]);
      const coins = Array.from({ length: 40 }, (_, i) => [2 + i * 0.18, 1800 + 900 * Math.random(), 0.12]);
      this.play([...fanfare, ...chord, ...coins]);
    }

    toast() { this.play([[0, 784, 0.3], [0.15, 1047, 0.5]]); }
  }

  const canvas = document.getElementById("stage");
  if (!canvas) return;
  window.croupierShow = { countUp, rain: new Rain(canvas), sounds: new Sounds(document.getElementById("sound")) };
})();
