// Sounds of a table, made in the browser: cards, chips, a hand that is won. Nothing is fetched.
window.tableSounds = (() => {
  "use strict";
  let context = null;
  let noise = null;
  const isOn = () => document.documentElement.dataset.sound !== "off";

  // Browsers let a page sound only once somebody has touched it.
  const wake = () => {
    if (!isOn() || !window.AudioContext) return;
    if (!context) {
      context = new AudioContext();
      noise = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
      const samples = noise.getChannelData(0);
      for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
    }
    if (context.state === "suspended") context.resume().catch(() => { /* not allowed yet */ });
  };
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, { capture: true, passive: true });

  const swell = (at, loud, seconds) => {
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(loud, at + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    gain.connect(context.destination);
    return gain;
  };
  const hiss = (at, loud, seconds, from, to) => {
    const source = context.createBufferSource();
    const filter = context.createBiquadFilter();
    source.buffer = noise;
    filter.type = "bandpass";
    filter.Q.value = 0.9;
    filter.frequency.setValueAtTime(from, at);
    filter.frequency.exponentialRampToValueAtTime(to, at + seconds);
    source.connect(filter).connect(swell(at, loud, seconds));
    source.start(at, Math.random() * 0.1, seconds + 0.02);
  };
  const ring = (at, loud, seconds, hertz, type = "sine") => {
    const source = context.createOscillator();
    source.type = type;
    source.frequency.value = hertz;
    source.connect(swell(at, loud, seconds));
    source.start(at);
    source.stop(at + seconds + 0.02);
  };
  const clink = (at, loud) => {
    const tune = 0.94 + Math.random() * 0.12;
    for (const hertz of [2350, 3820, 5480]) ring(at, loud, 0.06, hertz * tune, "triangle");
    hiss(at, loud * 0.6, 0.03, 5200, 3000);
  };
  const kinds = {
    card: (at) => hiss(at, 0.16, 0.11, 1700, 4200),
    turn: (at) => { hiss(at, 0.12, 0.07, 2600, 1500); hiss(at + 0.09, 0.16, 0.05, 900, 500); },
    chip: (at) => clink(at, 0.05),
    chips: (at) => { for (const later of [0, 0.06, 0.13, 0.18]) clink(at + later, 0.045); },
    won: (at) => [523, 659, 784].forEach((hertz, step) => ring(at + step * 0.09, 0.05, 0.35, hertz)),
    turnToAct: (at) => ring(at, 0.03, 0.18, 880),
  };
  return { play: (kind) => { if (isOn() && context && context.state === "running") kinds[kind](context.currentTime + 0.005); } };
})();
