// What a view is: it fills `room` with what `fields`, those of its address, ask
// for. `signal` is aborted when the reader goes elsewhere.

export interface Room {
  element: HTMLElement;
  fields: URLSearchParams;
  signal: AbortSignal;
}

export interface View {
  title: string;
  show(room: Room): Promise<void>;
}

export function field(room: Room, name: string): string {
  return room.fields.get(name) ?? "";
}
