// The page: connects the pictures of its files with the controls.

import { Camera, UPS } from './camera.js';
import { problemCount, problemList } from './diagnostics.js';
import { KEYS, LOOPS, SPEEDS, TOGGLES, press } from './keyboard.js';
import { ChoiceList, element, find, seconds } from './panel.js';
import { Clock, wrapOf } from './player.js';
import { Stage, groundOf } from './stage.js';
import { Timeline } from './timeline.js';

const PLAY_ICON = 'M4 2l10 6-10 6z';
const PAUSE_ICON = 'M3 2h4v12H3zM9 2h4v12H9z';
/** How many states name a machine without a name. */
const MOST_NAMED = 3;

export class Page {
  constructor(info, models) {
    this.info = info;
    this.camera = new Camera();
    this.clock = new Clock();
    this.look = { mesh: true, wireframe: false, normals: false, bones: false, ground: true, axes: false };
    Object.assign(this, { chosen: -1, isPlaying: false, speed: 1, loop: 'auto', isDirty: true, says: '', saysUntil: 0 });
    this.onChoose = this.onTheme = () => {};
    this.stages = models.map((model, number) => this.addStage(model, info.files[number], models.length > 1));
    [this.first] = this.stages;
    this.timeline = new Timeline(find('timeline'), (time) => this.seek(time));
    this.list = new ChoiceList(find('list'), (number, event) => this.pick(number, event.shiftKey));
    this.prepare();
    this.camera.onChange = () => this.redraw();
    this.stages.forEach(({ canvas }) => this.camera.listen(canvas));
    document.addEventListener('keydown', (event) => press(this, event));
    new ResizeObserver(() => this.redraw()).observe(find('stages'));
    new ResizeObserver(() => this.redraw()).observe(find('timeline'));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.setTheme(this.theme));
  }

  addStage(model, info, several) {
    const made = element('div', { className: 'stage' }, [
      element('canvas', { tabIndex: 0, ariaLabel: `3D view of ${info.name}`, role: 'img' }),
      ...(several ? [element('p', { className: 'caption' }, [info.caption ?? info.name])] : []),
      element('p', { className: 'hover', hidden: true }),
    ]);
    find('stages').append(made);
    const stage = new Stage(made, model, info, this.camera);
    made.addEventListener('pointermove', (event) => {
      if (event.buttons || event.pointerType === 'touch' || !stage.view) return stage.leave();
      const { left, top } = made.getBoundingClientRect();
      return stage.hover(event.clientX - left, event.clientY - top);
    });
    made.addEventListener('pointerleave', ({ pointerType }) => pointerType !== 'touch' && stage.leave());
    made.addEventListener('click', (event) => {
      const { left, top } = made.getBoundingClientRect();
      if (event.pointerType === 'touch') stage.hover(event.clientX - left, event.clientY - top);
    });
    return stage;
  }

  /** Fills the page in. */
  prepare() {
    const { files } = this.info;
    find('title').textContent = [...new Set(files.map(({ name }) => name))].join(' and ');
    find('subtitle').textContent = [...new Set(files.map(({ summary }) => summary))].join(' and ');
    find('choices-title').textContent = this.first.states ? 'States' : 'Clips';
    find('machine').hidden = !this.first.states;
    this.fillList();
    this.offerMachines();
    find('choices').hidden = this.entries.length === 0 && this.first.machines.length < 2;
    const toggle = ([key, name, letter]) => element('button', { type: 'button', title: `${name} (${letter})`, dataset: { key }, onclick: () => this.toggle(key) }, [name]);
    find('toggles').replaceChildren(...TOGGLES.map(toggle));
    fill('up', Object.keys(UPS), (up) => this.setUp(up));
    fill('speed', SPEEDS.map((speed) => `${speed}×`), (text) => this.setSpeed(parseFloat(text)));
    fill('loop', LOOPS, (loop) => this.setLoop(loop));
    this.setSpeed(1);
    find('keys').replaceChildren(...KEYS.flatMap(([key, what]) => [element('dt', {}, [key]), element('dd', {}, [what])]));
    this.showProblems();
    const actions = {
      play: () => this.setPlaying(!this.isPlaying), 'to-start': () => this.seek(0), 'to-end': () => this.seek(this.duration),
      theme: () => this.setTheme(this.isDark ? 'light' : 'dark'), 'help-button': () => find('help').showModal(), 'panel-button': () => this.togglePanel(),
      frame: () => this.frame(), leave: () => this.leaveState(),
    };
    for (const [id, action] of Object.entries(actions)) find(id).addEventListener('click', action);
    const phone = matchMedia('(max-width: 720px)').matches;
    if (phone) this.togglePanel();
    this.setTheme(null);
    TOGGLES.forEach(([key]) => this.showToggle(key));
  }

  /** Lists the clips, or the states of the machine that plays. */
  fillList() {
    const { states, clips } = this.first;
    this.entries = states ? states.states.map(({ name }, state) => this.stateEntry(name, state)) : clips.map((clip) => this.clipEntry(clip));
    this.list.set(this.entries);
    ['play', 'to-start', 'to-end', 'speed', 'loop'].forEach((id) => (find(id).disabled = this.entries.length === 0));
  }

  /** Offers the state machines, if there are several. */
  offerMachines() {
    const { machines } = this.first.info;
    const title = ({ name, states }) => name || states.slice(0, MOST_NAMED).map((state) => state.name || '(unnamed)').join(', ') || '(no states)';
    fill('machines', machines.map((machine, number) => `${number + 1}: ${title(machine)}`), (text) => this.chooseMachine(parseInt(text, 10) - 1));
    find('machines-row').hidden = machines.length < 2;
  }

  showProblems() {
    const { files } = this.info;
    const problems = files.filter((file) => file.diagnostics.length + file.more.length > 0);
    find('problem-count').textContent = problemCount(files) || 'none';
    find('problems').replaceChildren(...problems.flatMap((file) => [...(files.length > 1 ? [element('h3', {}, [file.caption ?? file.name])] : []), problemList(file)]));
  }

  clipEntry(clip) {
    return { name: clip.name, group: clip.group, note: seconds(clip.end - clip.start), clip };
  }

  stateEntry(name, state) {
    const duration = this.first.states.duration(state);
    return { name, note: this.first.states.states[state].sequence ? `sequence ${seconds(duration)}` : seconds(duration), state };
  }

  /** Shows the first picture. */
  start(saved) {
    if (this.entries.length > 0) this.choose(0);
    const boxes = this.stages.map((stage) => stage.bounds(stage.states ? stage.clips : stage.clips.slice(0, 1)));
    this.box = boxes.reduce((all, box) => all.map((x, i) => (i < 3 ? Math.min(x, box[i]) : Math.max(x, box[i]))));
    this.stages.forEach((stage) => stage.resize());
    this.look.bones = this.stages.every(({ renderer }) => renderer.drawn.length === 0);
    this.showToggle('bones');
    this.setUp(this.info.up ?? 'Y');
    if (saved) this.restore(saved);
    else this.setPlaying((this.duration > 0 || this.first.states !== null) && !matchMedia('(prefers-reduced-motion: reduce)').matches);
    this.pose();
    this.drawNow(performance.now());
    requestAnimationFrame((now) => this.tick(now));
  }

  get duration() {
    return this.first.states ? this.first.states.duration() : this.clock.duration;
  }

  /** The time on the clock of the clip, or in the round of the state. */
  get time() {
    const { states } = this.first;
    if (!states) return this.clock.time;
    const { sequence } = states;
    const turns = this.duration > 0 && (sequence ? sequence.repeats : this.loop !== 'once');
    return turns ? states.clock % this.duration : Math.min(states.clock, this.duration);
  }

  /** Chooses from the list: asks for a state, or shows a clip. */
  pick(number, atOnce) {
    if (!this.entries[number]) return;
    if (!this.first.states) return this.choose(number);
    this.goTo(number, atOnce || find('at-once').checked);
  }

  /** Plays another state machine. The one that played stays as it is. */
  chooseMachine(number) {
    this.stages.forEach((stage) => (stage.machine = stage.machines[number] ? number : 0));
    const { machine, states } = this.first;
    find('machines').selectedIndex = machine;
    Object.assign(this, { chosen: -1, answer: '' });
    this.fillList();
    if (this.entries.length > 0) this.entered(states.state);
    else this.timeline.set({ name: '', duration: 0 });
    this.changed();
  }

  choose(number) {
    this.chosen = number;
    const { clip, state } = this.entries[number];
    this.list.choose(number);
    if (clip) {
      const events = clip.events.map(({ time, name }) => ({ time: time - clip.start, name }));
      const times = [...new Set(clip.channels.flatMap(({ times: own }) => (own.length > 2000 ? [] : [...own])))];
      const keys = times.map((time) => time - clip.start).filter((time) => time >= 0 && time <= clip.end - clip.start);
      this.clock.set({ duration: Math.max(clip.end - clip.start, 0), events }, this.wrap(clip));
      this.timeline.set({ name: clip.name, duration: this.clock.duration, events, keys: keys.length > 400 ? [] : keys });
    } else {
      this.showState(state);
    }
    find('to-end').disabled = find('to-start').disabled = this.duration === 0;
    this.onChoose(this.entries[number].name);
    this.changed();
  }

  /** Chooses a clip, or enters a state of any machine, if there is one of this name. */
  chooseNamed(name) {
    const has = ({ states }) => states.some((state) => state.name === name);
    const other = this.first.machines.findIndex(has);
    if (other >= 0 && !has(this.first.states)) this.chooseMachine(other);
    const number = this.entries.findIndex((entry) => entry.name === name);
    if (number < 0 || number === this.chosen) return;
    if (this.first.states) this.goTo(number, true);
    else this.choose(number);
  }

  wrap(clip) {
    return this.loop === 'auto' ? wrapOf(clip.wrap) : this.loop;
  }

  setSpeed(speed) {
    this.speed = speed;
    find('speed').value = `${speed}×`;
  }

  setLoop(loop) {
    this.loop = loop;
    find('loop').value = loop;
    const { clip } = this.entries[this.chosen] ?? {};
    if (clip) this.clock.wrap = this.wrap(clip);
    this.clock.isDone = false;
  }

  /** What another file plays for an entry of the first: the same name, or else the same number. */
  matching(stage, number) {
    const list = stage.states ? stage.states.states.map(({ name }, state) => ({ name, state })) : stage.clips.map((clip) => ({ name: clip.name, clip }));
    return list.find(({ name }) => name === this.entries[number]?.name) ?? list[number] ?? null;
  }

  showState(state) {
    const { states } = this.first;
    const { sequence } = states.states[state];
    const name = (key) => states.states[sequence.keys[key].state]?.name ?? 'missing state';
    const legs = (sequence?.legs ?? []).filter(({ start, end }) => end > start).map((leg) => ({ ...leg, name: name(leg.from) }));
    this.timeline.set({ name: states.states[state].name, duration: this.duration, events: states.events[state], legs });
  }

  /** Asks the state machines of all files for a state. */
  goTo(number, atOnce) {
    const { states } = this.first;
    const from = states.state;
    let said = '';
    for (const stage of this.stages.filter((one) => one.states)) {
      const wanted = stage === this.first ? number : this.matching(stage, number)?.state;
      if (wanted === undefined) continue;
      const answer = atOnce ? (stage.states.enter(wanted), { answer: 'entered' }) : stage.states.request(wanted);
      if (stage !== this.first) continue;
      const name = this.entries[number].name;
      if (answer.answer === 'entered') said = `entered ${name}`;
      else if (answer.answer === 'refused') said = `${name} was refused: ${answer.why === 'no exit' ? 'no key of this sequence has an exit' : 'this sequence does not reach another exit'}`;
    }
    this.answer = said;
    this.entered(from);
  }

  leaveState() {
    const { before } = this.first.states;
    if (before !== null) this.goTo(before, find('at-once').checked);
  }

  /** Shows that another state has been entered, if so. */
  entered(from) {
    const { states } = this.first;
    if (states.state !== from || this.chosen !== states.state) {
      if (states.state !== from) states.before = from;
      this.choose(states.state);
    }
    this.list.choose(states.state, states.requested);
    this.changed();
  }

  sayState() {
    const { states } = this.first;
    const { moment, sequence } = states;
    const name = (key) => `key ${key + 1} (${states.states[sequence.keys[key].state]?.name ?? 'missing state'})`;
    const at = !moment ? '' : moment.next === null ? name(moment.key) : `${name(moment.key)}, ${Math.round(moment.part * 100)} % of the morph to ${name(moment.next)}`;
    const exit = states.requested === null ? null : sequence?.nextExit(states.clock, Infinity);
    const waits = exit && `${this.entries[states.requested].name} waits for ${name(exit.key)}, in ${seconds(exit.time - states.clock)}`;
    const text = [waits || this.answer, at].filter(Boolean).join('. ');
    if (find('machine-says').textContent !== text) find('machine-says').textContent = text;
    find('leave').disabled = states.before === null;
    find('leave').textContent = states.before === null ? 'Leave' : `Leave for ${this.entries[states.before].name}`;
  }

  seek(time) {
    if (this.first.states) {
      this.stages.forEach(({ states }) => states && Object.assign(states, { clock: Math.max(time, 0), isFresh: true }));
    } else {
      this.clock.seek(time);
    }
    this.changed();
  }

  setPlaying(isPlaying) {
    this.isPlaying = isPlaying;
    if (isPlaying && this.clock.isDone && !this.first.states) this.clock.seek(0);
    this.lastTick = null;
    find('play').ariaLabel = isPlaying ? 'Pause' : 'Play';
    find('play-icon').setAttribute('d', isPlaying ? PAUSE_ICON : PLAY_ICON);
    this.redraw();
  }

  toggle(key) {
    this.look[key] = !this.look[key];
    this.showToggle(key);
    this.redraw();
  }

  showToggle(key) {
    document.querySelector(`[data-key="${key}"]`).setAttribute('aria-pressed', String(this.look[key]));
  }

  togglePanel() {
    const isHidden = find('app').classList.toggle('no-panel');
    find('panel-button').setAttribute('aria-expanded', String(!isHidden));
  }

  setUp(up) {
    this.camera.up = up;
    find('up').value = up;
    this.frame();
  }

  frame() {
    this.ground = groundOf(this.box, this.camera.up);
    this.camera.frame(this.box, Math.min(...this.stages.map(({ aspect }) => aspect)));
  }

  get isDark() {
    return document.documentElement.dataset.theme === 'dark';
  }

  /** `theme`: dark, light, or null for that of the system. */
  setTheme(theme) {
    this.theme = theme;
    const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    const style = getComputedStyle(document.documentElement);
    const text = (name) => style.getPropertyValue(`--${name}`).trim();
    const numbers = (name, alpha) => [1, 3, 5].map((at) => parseInt(text(name).slice(at, at + 2), 16) / 255).concat(alpha);
    this.look.colors = { stage: numbers('stage', 1), ground: numbers('ground', 0.55), bone: numbers('bone', 1), boneEdge: numbers('bone-edge', 0.9), normal: numbers('normal', 0.9), edge: numbers('edge', 0.55) };
    this.inks = Object.fromEntries(['track', 'faint', 'dim', 'text', 'line', 'accent', 'event'].map((name) => [name, text(name)]));
    this.onTheme(isDark ? 'dark' : 'light');
    this.redraw();
  }

  /** The pose of all files at the time. */
  pose() {
    this.stages.forEach((stage) => {
      const own = stage === this.first ? this.entries[this.chosen] : this.matching(stage, this.chosen);
      if (stage.states) stage.playState();
      else if (own?.clip) stage.play(own.clip, Math.min(own.clip.start + this.time, Math.max(own.clip.end, own.clip.start)));
      else stage.play(null, 0);
    });
  }

  changed() {
    this.isPosed = false;
    this.redraw();
  }

  redraw() {
    this.isDirty = true;
  }

  tick(now) {
    requestAnimationFrame((later) => this.tick(later));
    if (this.isPlaying) this.advance(Math.min((now - (this.lastTick ?? now)) / 1000, 0.25) * this.speed, now);
    this.lastTick = now;
    if (this.timeline.isFlashing(now) || now < this.saysUntil + 50) this.redraw();
    if (this.isDirty) this.drawNow(now);
  }

  /** Plays a number of seconds. */
  advance(step, now = performance.now()) {
    const { states } = this.first;
    const from = states?.state;
    const crossed = states ? states.advance(step) : this.clock.advance(step);
    if (states) {
      this.stages.forEach((stage) => stage !== this.first && stage.states?.advance(step));
      if (from !== states.state) {
        this.answer = `entered ${this.entries[states.state].name}`;
        this.entered(from);
      }
    } else if (this.clock.isDone) {
      this.setPlaying(false);
    }
    if (crossed.length > 0) {
      this.timeline.flash(crossed, now);
      this.says = crossed.map(({ name }) => name).join(', ');
      this.saysUntil = now + 900;
      this.crossed = crossed.map(({ name }) => name);
    }
    if (step > 0) this.changed();
  }

  drawNow(now) {
    if (!this.isPosed) this.pose();
    this.isPosed = true;
    this.isDirty = false;
    this.stages.forEach((stage) => stage.draw(this.look, this.ground));
    this.timeline.draw(this.time, this.inks, now);
    const text = this.entries.length === 0 ? 'no clips' : `${this.time.toFixed(2)} / ${seconds(this.duration)}`;
    if (find('now').textContent !== text) find('now').textContent = text;
    const says = now < this.saysUntil ? `◆ ${this.says}` : '';
    if (find('happening').textContent !== says) find('happening').textContent = says;
    if (this.first.states) this.sayState();
  }

  /** What to keep when the page is loaded again. */
  saved() {
    const { yaw, pitch, up } = this.camera;
    return { machine: this.first.machine, name: this.entries[this.chosen]?.name, time: this.time, isPlaying: this.isPlaying, loop: this.loop, theme: this.theme, look: { ...this.look, colors: undefined }, camera: { yaw, pitch, up } };
  }

  restore({ machine, name, time, isPlaying, loop, theme, look, camera }) {
    if (this.first.machines[machine]) this.chooseMachine(machine);
    this.chooseNamed(name);
    this.setLoop(loop);
    this.setTheme(theme);
    for (const [key] of TOGGLES) {
      this.look[key] = look[key];
      this.showToggle(key);
    }
    Object.assign(this.camera, camera);
    this.setUp(camera.up);
    this.seek(time);
    this.setPlaying(isPlaying);
  }
}

function fill(id, options, onChange) {
  find(id).replaceChildren(...options.map((option) => element('option', { value: option }, [option])));
  find(id).addEventListener('change', ({ target }) => onChange(target.value));
}
