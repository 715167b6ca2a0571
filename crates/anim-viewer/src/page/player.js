// Plays a clip: a clock with a wrap mode, and the events that a step crosses.

/** The clock of a clip, from 0 to its duration. */
export class Clock {
  constructor() {
    this.set({ duration: 0, events: [] }, 'loop');
  }

  /** Starts a clip. Events have times on the clock. */
  set({ duration, events }, wrap) {
    this.duration = duration;
    this.events = [...events].sort((a, b) => a.time - b.time);
    this.wrap = wrap;
    this.seek(0);
  }

  /** Moves to a time without playing what lies between. */
  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.backwards = false;
    this.isFresh = true;
    this.isDone = false;
  }

  /** Plays a number of seconds, negative to play backwards, and returns the events crossed. */
  advance(seconds) {
    const crossed = [];
    if (seconds === 0) return crossed;
    let left = Math.abs(seconds);
    let sign = seconds < 0 !== this.backwards ? -1 : 1;
    // A step of many rounds crosses all events, but shows each once.
    for (let leg = 0; leg < 3; leg += 1) {
      const room = sign > 0 ? this.duration - this.time : this.time;
      const step = Math.min(left, room);
      const to = left < room ? this.time + sign * step : sign > 0 ? this.duration : 0;
      this.cross(this.time, to, crossed);
      this.time = to;
      left -= step;
      if (left <= 0) return crossed;
      if (this.wrap === 'loop' && this.duration > 0) {
        if (left > this.duration) left %= this.duration;
        this.time = sign > 0 ? 0 : this.duration;
        this.isFresh = true;
      } else if (this.wrap.startsWith('ping-pong') && this.duration > 0 && !(this.backwards && this.wrap === 'ping-pong once')) {
        if (left > 2 * this.duration) left %= 2 * this.duration;
        this.backwards = !this.backwards;
        sign = -sign;
      } else {
        this.isDone = true;
        return crossed;
      }
    }
    return crossed;
  }

  cross(from, to, crossed) {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const isNew = ({ time }) => time >= low && time <= high && (time !== from || this.isFresh);
    const found = this.events.filter(isNew);
    crossed.push(...(to < from ? found.reverse() : found));
    if (from !== to || this.duration === 0) this.isFresh = false;
  }
}

/** How the wrap mode that a file names is played. */
export function wrapOf(name) {
  return name === 'unspecified' ? 'loop' : name;
}
