import type { Addresses, Commands } from "../commands";
import { el } from "../elements";
import { chosenModel } from "../place";

// Where this server is reached. The page knows the port of gRPC, or the path
// of its Unix socket.
export function serverAddresses(): Addresses {
  const meta = document.querySelector("meta[name=grpc-port]");
  const port = meta?.getAttribute("content") || "50051";
  const local = !/^[0-9]+$/.test(port);
  return {
    grpc: local ? `unix:${port}` : `${location.hostname}:${port}`,
    http: location.origin, tls: location.protocol === "https:",
    model: chosenModel()
  };
}

function copyButton(text: string): HTMLElement {
  const button = el("button", { class: "plain" }, "Copy");
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(
        () => button.textContent = "Copied",
        // Browsers lend the clipboard only to pages they trust.
        () => button.textContent = "Select the text and copy it");
  });
  return button;
}

// The question of the view as commands of other clients.
export function copyAs(commands: Commands): HTMLElement {
  return el(
      "details", { class: "card" },
      el("summary", {}, "Ask this from a terminal or a program"),
      Object.entries(commands).map(([name, text]: [string, string]) => el(
          "div", { class: "command" }, el("h3", {}, name),
          el("pre", { tabindex: "0", "aria-label": `${name} command` }, text),
          navigator.clipboard !== undefined && copyButton(text))));
}
