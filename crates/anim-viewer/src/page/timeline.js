// The timeline: a ruler to scrub, marks of keys, the keys of a sequence, and events in lanes.

const LANE = 16;
const MOST_LANES = 6;
const RULER = 26;
const FLASH = 450;

export class Timeline {
  /** `onSeek` receives the time on the clock in seconds. */
  constructor(canvas, onSeek) {
    Object.assign(this, { canvas, onSeek, duration: 0, time: 0, lanes: [], legs: [], keys: [], flashes: new Map(), isIdle: true });
    const seek = ({ clientX }) => {
      const { left, width } = canvas.getBoundingClientRect();
      this.onSeek(Math.min(Math.max((clientX - left - this.inset) / (width - 2 * this.inset), 0), 1) * this.duration);
    };
    this.inset = 12;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    canvas.addEventListener('pointermove', (event) => canvas.hasPointerCapture(event.pointerId) && seek(event));
  }

  /** Shows a clip or a state. Events and legs have times on its clock. */
  set({ name, duration, events = [], legs = [], keys = [] }) {
    const names = [...new Set(events.map((event) => event.name))];
    this.lanes = names.slice(0, MOST_LANES).map((lane) => ({ name: lane, times: events.filter((event) => event.name === lane).map(({ time }) => time) }));
    if (names.length > MOST_LANES) {
      this.lanes.at(-1).name += ' …';
      this.lanes.at(-1).times.push(...events.filter((event) => names.indexOf(event.name) >= MOST_LANES).map(({ time }) => time));
    }
    Object.assign(this, { duration, legs, keys });
    this.flashes.clear();
    this.canvas.style.height = `${RULER + 8 + (this.lanes.length + (legs.length > 0 ? 1 : 0)) * LANE}px`;
    this.canvas.setAttribute('aria-label', `Time in ${name || 'the file'}`);
    this.canvas.setAttribute('aria-valuemax', duration.toFixed(3));
  }

  /** Lets the marks of events light up. */
  flash(events, now) {
    for (const { name } of events) {
      const lane = this.lanes.findIndex((own) => own.name === name);
      this.flashes.set(lane < 0 ? this.lanes.length - 1 : lane, now);
    }
  }

  isFlashing(now) {
    return [...this.flashes.values()].some((since) => now - since < FLASH);
  }

  draw(time, colors, now) {
    const { canvas, duration, inset } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    }
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    const x = (seconds) => inset + (duration > 0 ? seconds / duration : 0) * (width - 2 * inset);
    this.drawRuler(pen, x, colors, width);
    let top = RULER + 2;
    if (this.legs.length > 0) {
      this.drawLegs(pen, x, top, colors);
      top += LANE;
    }
    this.lanes.forEach((lane, number) => {
      const since = now - (this.flashes.get(number) ?? -Infinity);
      this.drawLane(pen, x, top + number * LANE, lane, since < FLASH ? 1 - since / FLASH : 0, colors, width);
    });
    const at = x(Math.min(time, duration));
    pen.fillStyle = colors.accent;
    pen.fillRect(at - 1, 4, 2, this.lanes.length + this.legs.length > 0 ? height - 6 : 12);
    pen.beginPath();
    pen.arc(at, 11, 6, 0, 7);
    pen.fill();
    canvas.setAttribute('aria-valuenow', time.toFixed(3));
    canvas.setAttribute('aria-valuetext', `${time.toFixed(2)} of ${duration.toFixed(2)} seconds`);
  }

  drawRuler(pen, x, colors, width) {
    const { duration, inset } = this;
    pen.fillStyle = colors.track;
    pen.fillRect(inset, 8, width - 2 * inset, 6);
    pen.fillStyle = colors.faint;
    for (const key of this.keys) pen.fillRect(x(key) - 0.5, 8, 1, 6);
    if (duration <= 0) return;
    const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600];
    const step = steps.find((seconds) => (seconds / duration) * width > 64) ?? duration;
    pen.fillStyle = colors.dim;
    for (let i = 0; i * step <= duration + 1e-9; i += 1) {
      const text = `${Number((i * step).toFixed(2))}`;
      const half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(Math.max(x(i * step) - half, 2), width - 2 * half - 2), 24);
    }
  }

  drawLegs(pen, x, top, colors) {
    this.legs.forEach(({ start, end, name, morph }, i) => {
      const [left, right] = [x(start), x(end)];
      pen.fillStyle = i % 2 === 0 ? colors.track : colors.faint;
      pen.globalAlpha = i % 2 === 0 ? 1 : 0.35;
      pen.fillRect(left, top + 6, Math.max(right - left - 1, 1), LANE - 4);
      pen.globalAlpha = 1;
      pen.fillStyle = colors.text;
      const text = morph ? `${name} ⤳` : name;
      if (pen.measureText(text).width < right - left - 6) pen.fillText(text, left + 4, top + 12);
    });
  }

  drawLane(pen, x, top, { name, times }, glow, colors, width) {
    const middle = top + LANE / 2 + 4;
    pen.fillStyle = colors.line;
    pen.fillRect(this.inset, middle, width - 2 * this.inset, 1);
    for (const time of times) {
      const at = x(time);
      if (glow > 0) {
        pen.globalAlpha = glow;
        pen.fillStyle = colors.event;
        pen.beginPath();
        pen.arc(at, middle, 5 + 4 * glow, 0, 7);
        pen.fill();
        pen.globalAlpha = 1;
      }
      pen.fillStyle = colors.event;
      pen.beginPath();
      pen.moveTo(at, middle - 5);
      pen.lineTo(at + 5, middle);
      pen.lineTo(at, middle + 5);
      pen.lineTo(at - 5, middle);
      pen.fill();
    }
    pen.fillStyle = colors.dim;
    const wide = pen.measureText(name).width;
    const taken = times.map(x);
    const at = taken.some((place) => place < this.inset + wide + 12) ? Math.min(Math.max(...taken) + 10, width - wide - 12) : this.inset + 2;
    pen.fillText(name, at, middle - 1);
  }
}
