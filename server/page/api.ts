// Calls of the JSON API.

import type {
  FindNodesResponse, GetModelInfoResponse, GetNeighborsResponse, LinkResult,
  ListRelationsResponse, PredictLinksResponse, RecommendLinksResponse, Status,
  WhatIf
} from "./messages";
import { chosenModel } from "./place";

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

// The token that says who asks. It is kept by this tab alone, and never as a
// cookie.
const TOKEN = "slice-token";
export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

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

// Fetches `path`; throws a CallError, or an AbortError once `signal` is
// aborted.
async function ask(
    path: string, signal: AbortSignal, body?: unknown): Promise<Response> {
  const headers = new Headers({ "grpc-timeout": `${SECONDS}S` });
  const token = sessionStorage.getItem(TOKEN);
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const patience = new AbortController();
  const timer = setTimeout(
      () => patience.abort(), (SECONDS + GRACE_SECONDS) * 1000);
  const leave = () => patience.abort();
  signal.addEventListener("abort", leave);
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: body === undefined ? "GET" : "POST", headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: patience.signal
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw patience.signal.aborted ?
      new CallError("late", `no answer within ${SECONDS} seconds`) :
      new CallError("gone", `nothing answers at ${location.origin}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
  if (!answer.ok) throw await errorOf(answer);
  return answer;
}

async function get<Answer>(
    path: string, fields: Record<string, string | number>,
    signal: AbortSignal): Promise<Answer> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== "") query.set(name, String(value));
  }
  if (chosenModel() !== "") query.set("model", chosenModel());
  const answer = await ask(`${path}?${query}`, signal);
  return await answer.json() as Answer;
}

async function post<Answer>(
    path: string, body: Record<string, unknown>,
    signal: AbortSignal): Promise<Answer> {
  const answer = await ask(path, signal, { ...body, model: chosenModel() });
  return await answer.json() as Answer;
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
    const notFound = 5; // proto/google/rpc/code.proto
    throw new CallError(
        result.status.code === notFound ? "unknown" : "request",
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
export async function getMetrics(signal: AbortSignal): Promise<string> {
  return await (await ask("/metrics", signal)).text();
}
