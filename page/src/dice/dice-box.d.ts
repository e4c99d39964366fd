/** What the page uses of the 3D dice. The package ships no types; these follow its source. */
declare module "@3d-dice/dice-box-threejs" {
  interface Vector {
    x: number;
    y: number;
    z: number;
  }

  interface Settable extends Vector {
    set(x: number, y: number, z: number): void;
  }

  interface Quaternion extends Vector {
    w: number;
  }

  interface Placed {
    position: Settable;
    quaternion: Quaternion & { set(x: number, y: number, z: number, w: number): void };
  }

  interface Colour {
    setHex(colour: number): void;
  }

  export interface BoxDie extends Placed {
    material: { color: Colour }[];
    shape: string;
    geometry: {
      groups: { materialIndex: number }[];
      getAttribute(name: "normal"): { array: Float32Array };
    };
    body: Placed & {
      type: number;
      velocity: Settable & { clone(): Settable };
      angularVelocity: Settable;
      wakeUp(): void;
    };
    result: { value: number }[];
    getFaceValue(): { value: number };
  }

  export default class DiceBox {
    constructor(selector: string, options: Record<string, unknown>);
    container: HTMLElement;
    diceList: BoxDie[];
    renderer: { domElement: HTMLCanvasElement; render(scene: unknown, camera: unknown): void };
    scene: unknown;
    camera: unknown;
    world: { step(seconds: number): void };
    framerate: number;
    animstate: string;
    iteration: number;
    rolling: boolean;
    running: number | false;
    initialize(): Promise<void>;
    light_amb: { color: Colour };
    display: { currentWidth: number; currentHeight: number };
    setDimensions(size?: { x: number; y: number }): void;
    startClickThrow(notation: string): unknown;
    roll(notation: string): Promise<unknown>;
    simulateThrow(): void;
    throwFinished(): boolean;
    animateThrow(running: number, done: () => void): void;
    swapDiceFace(die: BoxDie, face: number): void;
    clearDice(): void;
  }
}
