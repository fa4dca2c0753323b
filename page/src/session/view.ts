// Which panel is in front.
import { Signal } from "../parts/signal";

export const tab = new Signal("motion");
