import { setMaxListeners } from "node:events";

/** One signal stops all requests and waits of a run. From the eleventh on, Node.js would warn of a leak. */
export function liftListenerLimit(): void {
  setMaxListeners(0);
}
