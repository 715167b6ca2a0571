// One file on the page: its model, its pose at a time, and the picture with bones, ground and names.

import { Pose } from './animation.js';
import { LineList } from './lines.js';
import { emptyBox, grow, transformed } from './math.js';
import { Renderer } from './renderer.js';
import { StatePlayer } from './states.js';

const MOST_NORMALS = 20000;
const FRAMED = 5;
const MOST_FRAMED = 12;
/** The colours of the axes. */
const AXES = [[0.86, 0.26, 0.3, 1], [0.3, 0.66, 0.25, 1], [0.22, 0.48, 0.9, 1]];
const NEAR = 14;

export class Stage {
  /** `info` is what the program says about the file; `element` has a canvas and a label. */
  constructor(element, model, info, camera) {
    Object.assign(this, { element, model, info, camera, canvas: element.querySelector('canvas'), label: element.querySelector('.hover') });
    this.renderer = new Renderer(this.canvas, model);
    this.pose = new Pose(model);
    this.spares = [];
    this.clips = clipsOf(model);
    const played = inFileOrder(info.clips, this.clips);
    this.machines = info.machines.map(({ states }) => new StatePlayer(states, played));
    this.machine = 0;
    this.joints = jointsOf(model);
    this.labelPlace = null;
    this.update();
  }

  /** The state machine that plays, or null. The others stay as they are. */
  get states() {
    return this.machines[this.machine] ?? null;
  }

  /** Sets the pose of a clip at a time of its animation, or the rest pose. */
  play(clip, time) {
    this.pose.rest().play(clip, time);
    this.update();
  }

  /** Sets the pose of the state machine. */
  playState() {
    let used = 0;
    const spare = () => (this.spares[used++] ??= new Pose(this.model));
    this.states.pose(this.pose, spare);
    this.update();
  }

  update() {
    this.worlds = this.pose.worlds(this.worlds);
    this.renderer.setPose(this.pose, this.worlds);
  }

  /** A box around clips, or the rest pose, at a few moments. Leaves the pose at the last one. */
  bounds(clips) {
    const box = emptyBox();
    for (const clip of clips.length > 0 ? clips.slice(0, MOST_FRAMED) : [null]) {
      const moments = clip?.end > clip?.start ? FRAMED : 1;
      for (let i = 0; i < moments; i += 1) {
        if (clip) this.play(clip, clip.start + ((clip.end - clip.start) * i) / Math.max(moments - 1, 1));
        const now = this.renderer.bounds();
        if (now[0] <= now[3]) grow(box, now);
      }
    }
    return box[0] <= box[3] ? box : [-1, -1, -1, 1, 1, 1];
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [this.element.clientWidth, this.element.clientHeight].map((x) => Math.max(1, Math.round(x * ratio)));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.ratio = ratio;
  }

  get aspect() {
    return this.canvas.width / this.canvas.height;
  }

  draw(look, ground) {
    this.resize();
    this.view = this.camera.view(this.canvas.width, this.canvas.height, this.ratio);
    const [within, above] = [new LineList(), new LineList()];
    const behind = look.ground ? this.groundLines(ground, look.colors) : new LineList();
    if (look.axes) drawAxes(within, ground);
    const noMesh = this.renderer.drawn.length === 0;
    if (look.bones || noMesh) this.drawBones(above, look.colors, noMesh);
    if (look.normals) this.drawNormals(within, ground.size * 0.02, look.colors);
    this.renderer.draw(this.view, { ...look, behind, within, above, background: look.colors.stage.slice(0, 3), edgeColor: look.colors.edge, pointSize: 4 * this.ratio });
    if (this.labelPlace) this.hover(...this.labelPlace);
  }

  /** The lines of the ground, which stay the same until it or the colours change. */
  groundLines(ground, colors) {
    if (this.grounded?.ground !== ground || this.grounded.colors !== colors) {
      this.grounded = { ground, colors, lines: new LineList() };
      drawGround(this.grounded.lines, ground, colors);
    }
    return this.grounded.lines;
  }

  place(node) {
    return this.worlds.matrices.subarray(node * 16 + 12, node * 16 + 15);
  }

  drawBones(lines, colors, alone) {
    const size = this.camera.size * 0.006;
    for (const { node, parent, isTip } of this.joints) {
      if (!this.worlds.shown[node]) continue;
      const end = [...this.place(node)];
      if (parent >= 0) lines.add(this.place(parent), end, colors.boneEdge, 4).add(this.place(parent), end, colors.bone, 2);
      if (parent < 0 || isTip || alone) lines.add([end[0] - size, end[1], end[2]], [end[0] + size, end[1], end[2]], colors.bone, 5);
      if (!alone || parent >= 0 || !isTip) continue;
      // Without a mesh or bones, rotations show only in the axes of a joint.
      AXES.forEach((color, axis) => {
        const along = this.worlds.matrices.subarray(node * 16 + axis * 4, node * 16 + axis * 4 + 3);
        const reach = (this.camera.size * 0.05) / (Math.hypot(...along) || 1);
        lines.add(end, [end[0] + along[0] * reach, end[1] + along[1] * reach, end[2] + along[2] * reach], color, 2);
      });
    }
  }

  drawNormals(lines, length, colors) {
    for (const part of this.renderer.drawn) {
      if (!this.worlds.shown[part.node.number] || !part.geometry.part.normals) continue;
      const vertices = this.renderer.deformed(part);
      const step = Math.ceil(part.geometry.part.count / MOST_NORMALS) * 6;
      for (let i = 0; i < vertices.length; i += step) {
        const [x, y, z, a, b, c] = vertices.subarray(i, i + 6);
        const size = length / (Math.hypot(a, b, c) || 1);
        lines.add([x, y, z], [x + a * size, y + b * size, z + c * size], colors.normal, 1);
      }
    }
  }

  /** Names the joint, or else the mesh, at a place of the picture in CSS pixels. */
  hover(x, y) {
    this.labelPlace = [x, y];
    const name = this.nameAt(x, y);
    this.label.hidden = !name;
    if (!name) return;
    this.label.textContent = name;
    const width = this.element.clientWidth;
    this.label.style.transform = `translate(${Math.min(x + 14, width - this.label.offsetWidth - 8)}px, ${Math.max(y - 30, 4)}px)`;
  }

  leave() {
    this.labelPlace = null;
    this.label.hidden = true;
  }

  nameAt(x, y) {
    const { camera } = this.view;
    let [best, nearest] = [null, NEAR];
    for (const { node, name } of this.joints) {
      const [a, b, c] = this.place(node);
      const w = camera[3] * a + camera[7] * b + camera[11] * c + camera[15];
      if (w <= 0) continue;
      const [u, v] = transformed(camera, [a, b, c]);
      const distance = Math.hypot(((u / w + 1) / 2) * this.element.clientWidth - x, ((1 - v / w) / 2) * this.element.clientHeight - y);
      if (distance < nearest) [best, nearest] = [name, distance];
    }
    if (best !== null) return best;
    const part = this.renderer.pick(x * this.ratio, this.canvas.height - 1 - y * this.ratio, this.view);
    if (!part) return null;
    const material = this.model.materials[part.geometry.part.material]?.name;
    const mesh = part.node.name || this.model.meshes[part.node.mesh].name || `mesh ${part.node.mesh + 1}`;
    return material && material !== mesh ? `${mesh} · ${material}` : mesh;
  }
}

/** The clips of a model: its animations, and clips without motion. */
function clipsOf({ animations, extras }) {
  const still = (extras.anim_formats?.clips ?? []).map((clip) => ({ start: 0, end: 0, wrap: 'unspecified', group: null, frames: null, events: [], ...clip, channels: [] }));
  const of = new Map(still.filter(({ animation }) => animation !== undefined).map((clip) => [clip.animation, clip]));
  const list = animations.map((clip) => (clip.isEmpty && of.has(clip.name) ? { ...clip, ...of.get(clip.name), number: clip.number } : clip));
  return [...list, ...still.filter(({ animation }) => animation === undefined).map((clip) => ({ ...clip, number: null }))];
}

/** The clips with these names. Clips of one name are in the order of the file. */
function inFileOrder(names, clips) {
  const taken = new Set();
  return names.map((name) => {
    const found = clips.find((clip) => clip.name === name && !taken.has(clip)) ?? null;
    taken.add(found);
    return found;
  });
}

/** What to draw as bones: the joints of skins or, without any, all nodes that have no mesh. */
function jointsOf({ nodes, skins, order }) {
  const joints = new Set(skins.flatMap((skin) => skin.joints));
  const isDrawn = (node) => !['static', 'armature', 'again', 'scene'].includes(node.role);
  const own = (node) => isDrawn(node) && node.role === null && (joints.size > 0 ? joints.has(node.number) : true);
  const tips = new Set(order);
  const above = (node) => {
    let parent = nodes[node].parent;
    while (parent >= 0 && !own(nodes[parent])) ({ parent } = nodes[parent]);
    return parent;
  };
  const found = order.filter((number) => own(nodes[number])).map((node) => ({ node, name: nodes[node].name || `node ${node + 1}`, parent: above(node) }));
  found.forEach(({ parent }) => tips.delete(parent));
  return found.map((joint) => ({ ...joint, isTip: tips.has(joint.node) }));
}

/** The floor and the size of what is shown; the ground is a grid below it. */
export function groundOf(box, up) {
  const axis = { X: 0, Y: 1, Z: 2, '−Y': 1 }[up];
  const size = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) || 1;
  const step = 10 ** Math.floor(Math.log10(size / 2));
  return { axis, floor: up === '−Y' ? box[4] : box[axis], middle: [0, 1, 2].map((i) => (box[i] + box[i + 3]) / 2), size, step: size / step > 8 ? step * 2 : step };
}

function drawGround(lines, { axis, floor, middle, size, step }, { ground }) {
  const [u, v] = [0, 1, 2].filter((other) => other !== axis);
  const count = Math.ceil((size * 1.2) / step);
  const at = (a, b) => {
    const point = [0, 0, 0];
    point[axis] = floor;
    point[u] = a;
    point[v] = b;
    return point;
  };
  const [cu, cv] = [u, v].map((i) => Math.round(middle[i] / step) * step);
  for (let i = -count; i <= count; i += 1) {
    const fade = (1 - Math.abs(i) / (count + 1)) * ground[3];
    const [a, b] = [cu + i * step, cv + i * step];
    // Segments fade towards the ends.
    for (let k = -count; k < count; k += 1) {
      const [p, q] = [k * step, (k + 1) * step];
      const color = [...ground.slice(0, 3), fade * (1 - Math.abs(k + 0.5) / (count + 0.5))];
      lines.add(at(a, cv + p), at(a, cv + q), color, Math.abs(a) < step / 2 ? 1.6 : 1);
      lines.add(at(cu + p, b), at(cu + q, b), color, Math.abs(b) < step / 2 ? 1.6 : 1);
    }
  }
}

function drawAxes(lines, { size }) {
  AXES.forEach((color, axis) => {
    const end = [0, 0, 0];
    end[axis] = size * 0.22;
    lines.add([0, 0, 0], end, color, 2.5);
  });
}
