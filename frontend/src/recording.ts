/** Records the microphone in the browser. */

/** Samples per second that the speaker encoder reads. */
const RATE = 16_000;

export interface Recording {
  /** Ends the recording; returns a WAV file (16 kHz, 16 bits, mono) in base64. */
  end(): Promise<string>;
  /** Releases the microphone; nothing of the recording is kept. */
  discard(): void;
}

/** Whether the browser can record: only on a secure connection, and not all browsers can. */
export function canRecord(): boolean {
  return Boolean(navigator.mediaDevices) && "MediaRecorder" in window;
}

/** Begins to record; throws a DOMException, `NotAllowedError` if the microphone is refused. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: 128_000 });
  const chunks: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => chunks.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  recorder.start();
  const discard = (): void => {
    // It stops by itself if the microphone is gone.
    if (recorder.state !== "inactive") {
      recorder.stop();
    }
    stream.getTracks().forEach((track) => track.stop());
  };
  const end = async (): Promise<string> => {
    discard();
    await stopped;
    return wavOf(await new Blob(chunks).arrayBuffer());
  };
  return { end, discard };
}

async function wavOf(encoded: ArrayBuffer): Promise<string> {
  // Decoding converts to the rate of the context.
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(encoded);
  const channels = Array.from({ length: sound.numberOfChannels }, (_, channel) =>
    sound.getChannelData(channel),
  );
  const samples = new DataView(new ArrayBuffer(2 * sound.length));
  for (let at = 0; at < sound.length; at++) {
    const sum = channels.reduce((total, channel) => total + channel[at]!, 0);
    const sample = Math.max(-1, Math.min(1, sum / channels.length));
    samples.setInt16(2 * at, Math.round(sample * 0x7fff), true);
  }
  return base64(new Blob([header(samples.byteLength), samples.buffer]));
}

/** The head of a WAV file: a chunk `fmt ` for PCM with one channel, then that of the data. */
function header(bytes: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(44));
  const write = (at: number, name: string): void =>
    [...name].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  write(0, "RIFF");
  view.setUint32(4, 36 + bytes, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, 2 * RATE, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, bytes, true);
  return view.buffer;
}

function base64(file: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve((reader.result as string).split(",")[1]!);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
