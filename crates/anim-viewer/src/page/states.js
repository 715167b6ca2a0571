// Plays a state machine, by the rules of docs/playback.md: states are clips or sequences of states.

const DEEPEST = 8;

/** The keys of a sequence as legs of a round: from one key to another, with a start and an end. */
class Sequence {
  constructor({ order, start, keys }) {
    Object.assign(this, { order, start, keys, legs: [] });
    const count = keys.length;
    const last = count - 1;
    const up = (from, to) => range(to - from, (i) => [from + i, true]);
    const down = (from, to) => range(from - to, (i) => [from - i, false]);
    const ways = {
      stay: () => [],
      'loop forwards': () => range(count, (i) => [(start + i) % count, true]),
      'loop backwards': () => range(count, (i) => [(start + count - i) % count, false]),
      'ping-pong forwards': () => [...up(start, last), ...down(last, 0), ...up(0, start)],
      'ping-pong backwards': () => [...down(start, 0), ...up(0, last), ...down(last, start)],
      'once forwards': () => up(start, last),
    };
    let now = 0;
    for (const [from, forwards] of count > 0 ? ways[order]() : []) {
      const { seconds, morph } = forwards ? keys[from].forward : keys[from].backward;
      const end = now + seconds;
      this.legs.push({ from, to: (from + (forwards ? 1 : count - 1)) % count, start: now, end, morph });
      now = end;
    }
    this.repeats = order !== 'once forwards';
    if (now === 0 && this.repeats) this.legs = [];
    this.duration = this.legs.at(-1)?.end ?? 0;
  }

  get resting() {
    return this.repeats ? this.start : (this.legs.at(-1)?.to ?? this.start);
  }

  /** The start of the round, the leg, and the time within the round. */
  locate(time) {
    const { duration } = this;
    const turns = this.repeats && duration > 0;
    const began = turns ? Math.floor(time / duration) * duration : 0;
    let now = Math.max(time - began, 0);
    if (turns && now >= duration) now = 0;
    const leg = this.legs.findIndex(({ end }) => end > now);
    return { began, leg: leg < 0 ? this.legs.length : leg, now };
  }

  /** The key at a time and, in a morph, the next key and the progress. */
  at(time) {
    if (this.keys.length === 0) return null;
    const { leg, now } = this.locate(time);
    const found = this.legs[leg];
    if (!found) return { key: this.resting, next: null, part: 0 };
    const { from, to, start, end, morph } = found;
    return morph ? { key: from, next: to, part: (now - start) / (end - start) } : { key: from, next: null, part: 0 };
  }

  mayLeave(time) {
    const { leg, now } = this.locate(time);
    const found = this.legs[leg];
    if (found?.morph && found.start < now) return false;
    return this.keys[found ? found.from : this.resting]?.exit ?? true;
  }

  /** The first time in a range, without its start, at which the sequence can be left. */
  nextExit(from, to) {
    let { began, leg } = this.locate(from);
    for (let round = 0; round < (this.repeats ? 2 : 1); round += 1, leg = 0) {
      for (const { end, to: key } of this.legs.slice(leg)) {
        const time = began + end;
        if (time > to) return null;
        if (time > from && this.keys[key].exit) return { time, key };
      }
      began += this.duration;
    }
    return null;
  }
}

const range = (count, of) => Array.from({ length: Math.max(count, 0) }, (_, i) => of(i));

/** A state machine in one of its states. */
export class StatePlayer {
  /** `states`: as the program describes them; `clips`: the animation of each clip, or null. */
  constructor(states, clips) {
    this.clips = clips;
    this.states = states.map((state) => ({ ...state, sequence: state.sequence ? new Sequence(state.sequence) : null }));
    this.events = this.states.map((_, state) => this.eventsOf(state));
    this.before = null;
    this.enter(0);
  }

  enter(state) {
    Object.assign(this, { state, clock: 0, requested: null, isFresh: true });
  }

  get sequence() {
    return this.states[this.state]?.sequence ?? null;
  }

  get moment() {
    return this.sequence?.at(this.clock) ?? null;
  }

  /** The length of a round of a state, in seconds. */
  duration(state = this.state) {
    const { sequence, duration = 0 } = this.states[state] ?? {};
    return sequence ? sequence.duration : duration;
  }

  /** Asks for a state. Returns 'entered', 'waiting' for `nextExit`, or 'refused' and why. */
  request(state) {
    const { sequence } = this;
    if (!sequence || sequence.mayLeave(this.clock)) {
      this.enter(state);
      return { answer: 'entered' };
    }
    const exit = sequence.nextExit(this.clock, Infinity);
    if (exit) {
      this.requested = state;
      return { answer: 'waiting' };
    }
    return { answer: 'refused', why: sequence.keys.some(({ exit: may }) => may) ? 'no exit ahead' : 'no exit' };
  }

  /** Plays a number of seconds and returns the events crossed. */
  advance(seconds) {
    const crossed = [];
    const until = this.clock + seconds;
    const exit = this.requested === null ? null : this.sequence?.nextExit(this.clock, until);
    this.run(exit ? exit.time : until, crossed);
    if (!exit) return crossed;
    this.enter(this.requested);
    this.run(until - exit.time, crossed);
    return crossed;
  }

  run(until, crossed) {
    if (until > this.clock) {
      const isNew = ({ time }) => time <= until && (time > this.clock || (this.isFresh && time === this.clock));
      crossed.push(...(this.events[this.state] ?? []).filter((event) => isNew(event) && this.shows(this.state, event.time, event.clip, DEEPEST)));
      this.isFresh = false;
    }
    this.clock = until;
  }

  eventsOf(state) {
    const found = [];
    const seen = new Set([state]);
    for (const open = [state]; open.length > 0; ) {
      const { sequence, clip } = this.states[open.pop()];
      const events = sequence ? [] : (this.clips[clip]?.events ?? []);
      found.push(...events.map((event) => ({ ...event, time: event.time - this.clips[clip].start, clip })));
      for (const { state: below } of sequence?.keys ?? []) {
        if (below !== null && !seen.has(below)) {
          seen.add(below);
          open.push(below);
        }
      }
    }
    return found.sort((a, b) => a.time - b.time);
  }

  shows(state, time, clip, depth) {
    const { sequence, clip: own } = this.states[state] ?? {};
    if (!sequence) return own === clip;
    const moment = depth > 0 ? sequence.at(time) : null;
    if (!moment) return false;
    const below = (key) => key !== null && sequence.keys[key].state !== null && this.shows(sequence.keys[key].state, time, clip, depth - 1);
    return below(moment.key) || below(moment.next);
  }

  /** Sets a pose to that of a state at a time on its clock. `spare` makes another pose. */
  pose(pose, spare, state = this.state, time = this.clock, depth = DEEPEST) {
    pose.rest();
    const found = this.states[state];
    if (!found) return pose;
    if (!found.sequence) return pose.play(this.clips[found.clip], this.clipTime(found, time));
    const moment = depth > 0 ? found.sequence.at(time) : null;
    if (!moment) return pose;
    const key = (number) => found.sequence.keys[number].state ?? -1;
    this.pose(pose, spare, key(moment.key), time, depth - 1);
    if (moment.next !== null) pose.blend(this.pose(spare(), spare, key(moment.next), time, depth - 1), moment.part);
    return pose;
  }

  /** The time in the animation of a clip: after its end, what repeats goes on. */
  clipTime({ clip, repeat }, time) {
    const { start = 0, end = 0 } = this.clips[clip] ?? {};
    const own = start + time;
    if (!repeat || own <= repeat.from + repeat.length) return Math.min(own, end);
    return repeat.from + ((own - repeat.from) % repeat.length);
  }
}
