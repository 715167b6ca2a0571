// A camera that orbits a point, moved with mouse, touch and keyboard.

import { cross, lookAt, minus, perspective, plus, product, transformed, unit } from './math.js';

const FIELD = (35 * Math.PI) / 180;
const TURN = Math.PI / 24;
/** What turns a scene so that an axis points up. */
export const UPS = {
  Y: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  Z: [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  X: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  '−Y': [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1],
};

export class Camera {
  constructor() {
    Object.assign(this, { target: [0, 0, 0], distance: 4, yaw: 0.6, pitch: 0.3, size: 1, up: 'Y' });
    this.onChange = () => {};
  }

  /** Shows a box, six numbers in the space of the scene, from where the camera is. */
  frame(box, aspect) {
    const middle = [0, 1, 2].map((i) => (box[i] + box[i + 3]) / 2);
    this.size = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) || 1;
    this.target = transformed(UPS[this.up], middle);
    this.distance = (this.size / 2 / Math.sin(FIELD / 2)) * Math.max(1, 1 / aspect) * 1.02;
    this.onChange();
  }

  /** The matrices for a picture, and directions in the space of the scene. */
  view(width, height, ratio) {
    const [cosine, sine] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    const eye = plus(this.target, [Math.sin(this.yaw) * cosine, sine, Math.cos(this.yaw) * cosine], this.distance);
    const look = lookAt(eye, this.target, [0, 1, 0]);
    const reach = this.distance + this.size * 8;
    const lens = perspective(FIELD, width / height, Math.max(this.distance / 200, reach / 100000), reach);
    const turn = UPS[this.up];
    const own = (v) => [0, 4, 8].map((row) => turn[row] * v[0] + turn[row + 1] * v[1] + turn[row + 2] * v[2]);
    const camera = product(product(lens, look), turn);
    const away = unit(minus(eye, this.target));
    return { camera, ratio, eye: own(eye), up: own([0, 1, 0]), side: own(unit(cross([0, 1, 0], away))) };
  }

  orbit(x, y) {
    this.yaw -= x;
    this.pitch = Math.min(Math.max(this.pitch + y, -1.55), 1.55);
    this.onChange();
  }

  /** Moves the target; x and y are fractions of the height of the picture. */
  pan(x, y) {
    const away = [Math.sin(this.yaw) * Math.cos(this.pitch), Math.sin(this.pitch), Math.cos(this.yaw) * Math.cos(this.pitch)];
    const side = unit(cross([0, 1, 0], away));
    const step = 2 * this.distance * Math.tan(FIELD / 2);
    this.target = plus(plus(this.target, side, -x * step), cross(away, side), y * step);
    this.onChange();
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance * factor, this.size / 500), this.size * 50);
    this.onChange();
  }

  /** Turns with a key. Returns whether the key is one of the camera's. */
  key({ key, shiftKey }) {
    const moves = {
      ArrowLeft: () => shiftKey && (this.orbit(TURN, 0), true),
      ArrowRight: () => shiftKey && (this.orbit(-TURN, 0), true),
      ArrowUp: () => shiftKey && (this.orbit(0, TURN), true),
      ArrowDown: () => shiftKey && (this.orbit(0, -TURN), true),
      '+': () => (this.zoom(0.85), true),
      '=': () => (this.zoom(0.85), true),
      '-': () => (this.zoom(1 / 0.85), true),
    };
    return moves[key]?.() ?? false;
  }

  /** Follows the pointers on an element: one turns, two or the right button move, the wheel zooms. */
  listen(element) {
    const down = new Map();
    const middle = () => {
      const all = [...down.values()];
      return [0, 1].map((axis) => all.reduce((sum, place) => sum + place[axis], 0) / all.length);
    };
    const spread = () => {
      const [a, b] = [...down.values()];
      return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
    };
    element.addEventListener('pointerdown', (event) => {
      element.setPointerCapture(event.pointerId);
      down.set(event.pointerId, [event.clientX, event.clientY]);
    });
    element.addEventListener('pointermove', (event) => {
      if (!down.has(event.pointerId)) return;
      const [before, wide] = [middle(), spread()];
      down.set(event.pointerId, [event.clientX, event.clientY]);
      const now = middle();
      const [x, y] = [(now[0] - before[0]) / element.clientHeight, (now[1] - before[1]) / element.clientHeight];
      if (down.size > 1) {
        this.pan(x, y);
        if (wide > 0 && spread() > 0) this.zoom(wide / spread());
      } else if (event.buttons & 6 || event.shiftKey) {
        this.pan(x, y);
      } else {
        this.orbit(x * 4, y * 4);
      }
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      element.addEventListener(name, ({ pointerId }) => down.delete(pointerId));
    }
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(Math.min(Math.max(event.deltaY, -120), 120) * 0.0016));
    }, { passive: false });
  }
}
