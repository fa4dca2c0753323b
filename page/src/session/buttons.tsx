// Save and open the session.
import type { JSX } from "preact";

export function SessionButtons(): JSX.Element {
  return <span />;
}
