// The types of those parts of Node that the tests use. Debian has no package of
// them.

declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
}

declare module "node:assert/strict" {
  export function deepEqual(found: unknown, expected: unknown): void;
  export function fail(message: string): never;
  export function equal(found: unknown, expected: unknown): void;
  export function ok(value: unknown): void;
}
