/** Plays notes with the browser’s own synthesizer. Loaded when sound is switched on, not before. */

import { notesOf, type Note, type Sound } from "./sound-recipes.js";

const ATTACK = 0.004;
const SILENCE = 0.0001;
/** What a narrow band leaves of white noise is much softer than a tone of the same level. */
const BAND_GAIN = 2.7;

let audio: AudioContext | undefined;
let noise: AudioBuffer | undefined;

/** One second of white noise, made once. */
function whiteNoise(context: AudioContext): AudioBuffer {
  if (noise) return noise;
  noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = Math.random() * 2 - 1;
  return noise;
}

function tone(context: AudioContext, { wave, from, to, lasts }: Note, begins: number): AudioScheduledSourceNode {
  const oscillator = new OscillatorNode(context, { type: wave === "triangle" ? "triangle" : "sine", frequency: from });
  oscillator.frequency.exponentialRampToValueAtTime(to, begins + lasts);
  return oscillator;
}

/** Where a note comes from, and what it goes through before its loudness. */
function source(context: AudioContext, note: Note, begins: number): [AudioScheduledSourceNode, AudioNode] {
  if (note.wave !== "noise") {
    const oscillator = tone(context, note, begins);
    return [oscillator, oscillator];
  }
  const burst = new AudioBufferSourceNode(context, { buffer: whiteNoise(context), loop: true });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: note.from, Q: 2 });
  return [burst, burst.connect(band).connect(new GainNode(context, { gain: BAND_GAIN }))];
}

function play(context: AudioContext, note: Note, volume: number): void {
  const begins = context.currentTime + note.at;
  const loudest = Math.max(SILENCE, volume * 10 ** (note.db / 20));
  const [from, through] = source(context, note, begins);
  const envelope = new GainNode(context, { gain: SILENCE });
  envelope.gain.setValueAtTime(SILENCE, begins);
  envelope.gain.exponentialRampToValueAtTime(loudest, begins + ATTACK);
  envelope.gain.exponentialRampToValueAtTime(SILENCE, begins + note.lasts);
  through.connect(envelope).connect(context.destination);
  from.start(begins);
  from.stop(begins + note.lasts);
}

/** Let the browser make sound; it allows that only while somebody taps or types. */
export async function unlock(): Promise<void> {
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume().catch(() => undefined);
}

/** Play a sound at once; nothing is heard where the browser has not allowed any yet, and nothing is kept for later. */
export function playSound(sound: Sound, dice: number, volume: number): void {
  audio ??= new AudioContext();
  if (audio.state !== "running") return;
  for (const note of notesOf(sound, dice)) play(audio, note, volume);
}
