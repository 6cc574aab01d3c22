// Calls of the JSON API.

import type {
  FindNodesResponse, GetModelInfoResponse, GetNeighborsResponse, LinkResult,
  ListRelationsResponse, PredictLinksResponse, RecommendLinksResponse, Status,
  WhatIf
} from "./messages";
import { chosenModel } from "./place";
import { keptToken } from "./token";

const SECONDS = 20; // that a call may take
const GRACE_SECONDS = 5; // more, before the page gives up on the server

// What went wrong with a call, as far as the reader can act on it.
export type Trouble =
  "gone" | "late" | "unknown" | "identity" | "role" | "busy" | "request" |
  "server";

export class CallError extends Error {
  constructor(readonly trouble: Trouble, message: string) {
    super(message);
  }
}

const TROUBLES: Record<number, Trouble> = {
  400: "request", 401: "identity", 403: "role", 404: "unknown", 409: "request",
  412: "request", 429: "busy", 503: "busy", 504: "late"
};

// The codes of a link's status (google/rpc/code.proto) that are no mistake of
// the question.
const TROUBLES_OF_LINKS: Record<number, Trouble> = {
  1: "server", 2: "server", 4: "late", 5: "unknown", 7: "role", 8: "busy",
  12: "server", 13: "server", 14: "busy", 15: "server", 16: "identity"
};

async function errorOf(answer: Response): Promise<CallError> {
  const text = await answer.text();
  let message = text;
  try {
    message = (JSON.parse(text) as Status).message;
  } catch {
    // An answer of something between this page and the server.
  }
  return new CallError(
      TROUBLES[answer.status] ?? "server",
      message || `HTTP status ${answer.status}`);
}

function requestOf(body: unknown, signal: AbortSignal): RequestInit {
  const headers = new Headers({ "grpc-timeout": `${SECONDS}S` });
  const token = keptToken();
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  return {
    method: body === undefined ? "GET" : "POST", headers, signal,
    body: body === undefined ? null : JSON.stringify(body)
  };
}

// Fetches the text at `path`, to its end; throws a CallError, or an AbortError
// once `signal` is aborted.
async function ask(
    path: string, signal: AbortSignal, body?: unknown): Promise<string> {
  const patience = new AbortController();
  const timer = setTimeout(
      () => patience.abort(), (SECONDS + GRACE_SECONDS) * 1000);
  const leave = () => patience.abort();
  signal.addEventListener("abort", leave);
  let came = false;
  try {
    const answer = await fetch(path, requestOf(body, patience.signal));
    came = true;
    if (!answer.ok) throw await errorOf(answer);
    return await answer.text();
  } catch (error) {
    if (signal.aborted || error instanceof CallError) throw error;
    throw patience.signal.aborted ?
      new CallError("late", `no answer within ${SECONDS} seconds`) :
      new CallError("gone", came ?
        `the answer of ${location.origin} broke off` :
        `nothing answers at ${location.origin}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

async function get<Answer>(
    path: string, fields: Record<string, string | number>,
    signal: AbortSignal): Promise<Answer> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== "") query.set(name, String(value));
  }
  if (chosenModel() !== "") query.set("model", chosenModel());
  return JSON.parse(await ask(`${path}?${query}`, signal)) as Answer;
}

async function post<Answer>(
    path: string, body: Record<string, unknown>,
    signal: AbortSignal): Promise<Answer> {
  return JSON.parse(
      await ask(path, signal, { ...body, model: chosenModel() })) as Answer;
}

export function findNodes(
    prefix: string, pageSize: number, pageToken: string,
    signal: AbortSignal): Promise<FindNodesResponse> {
  return get("/v1/nodes", {
    prefix, page_size: pageSize, page_token: pageToken
  }, signal);
}

export function getNeighbors(
    node: string, filter: { relation: string, direction: string },
    pageToken: string, signal: AbortSignal): Promise<GetNeighborsResponse> {
  return get("/v1/neighbors", {
    "node.name": node, relation: filter.relation, direction: filter.direction,
    page_token: pageToken
  }, signal);
}

let relations: { model: string, answer: Promise<ListRelationsResponse> } |
  undefined;

// The relations of the graph. They are asked once, whichever view wants them
// first.
export function listRelations(): Promise<ListRelationsResponse> {
  if (relations === undefined || relations.model !== chosenModel()) {
    const answer = get<ListRelationsResponse>(
        "/v1/relations", {}, new AbortController().signal);
    relations = { model: chosenModel(), answer };
    answer.catch(() => relations = undefined);
  }
  return relations.answer;
}

export function getModelInfo(
    signal: AbortSignal): Promise<GetModelInfoResponse> {
  return get("/v1/model", {}, signal);
}

export interface Question {
  source: string;
  relation: string;
  target: string;
}

export interface ExplainedLink {
  result: LinkResult;
  response: PredictLinksResponse;
}

// Scores and explains one link. An error of the link is thrown as one of the
// call.
export async function explainLink(
    question: Question, whatIf: WhatIf | undefined,
    signal: AbortSignal): Promise<ExplainedLink> {
  const response = await post<PredictLinksResponse>("/v1/links:predict", {
    links: [{
      source: { name: question.source }, relation: question.relation,
      target: { name: question.target }
    }],
    explanation_level: "EXPLANATION_LEVEL_FULL",
    ...(whatIf === undefined ? {} : { what_if: whatIf })
  }, signal);
  const result = response.results[0];
  if (result === undefined) throw new CallError("server", "no result came");
  if (result.status.code !== 0) {
    throw new CallError(
        TROUBLES_OF_LINKS[result.status.code] ?? "request",
        result.status.message);
  }
  return { result, response };
}

// Recommends the end of `question` that is empty.
export function recommendLinks(
    question: Question, options: {
      k: number, type?: string, includeExisting?: boolean
    }, signal: AbortSignal): Promise<RecommendLinksResponse[]> {
  return post("/v1/links:recommend", {
    ...(question.source === "" ? { target: { name: question.target } } :
      { source: { name: question.source } }),
    relation: question.relation, k: options.k, type: options.type ?? "",
    include_existing: options.includeExisting ?? false
  }, signal);
}

// The metrics of the server, in the text format of Prometheus.
export function getMetrics(signal: AbortSignal): Promise<string> {
  return ask("/metrics", signal);
}
