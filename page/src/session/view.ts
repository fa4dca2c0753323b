// Which panel is in front, and whether a session is being opened.
import { Signal } from "../parts/signal";

export const tab = new Signal("motion");
export const opening = new Signal(false);
