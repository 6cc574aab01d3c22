// The messages of the JSON API that the page uses: those of
// proto/slice/v1/*.proto, where each field is described. JSON has 64-bit
// integers as texts.

export type Uint64 = string;
export type Direction =
  "DIRECTION_UNSPECIFIED" | "DIRECTION_OUT" | "DIRECTION_IN";

export interface NodeRef {
  name: string;
}

export interface Node {
  key: string;
  name: string;
  type: string;
}

export interface LinkRef {
  source: NodeRef;
  relation: string;
  target: NodeRef;
}

export type GraphChange = { add_link: LinkRef } | { remove_link: LinkRef };

export interface WhatIf {
  changes: GraphChange[];
}

export interface WhatIfEffect {
  without_effect: number[];
}

export interface PathStep {
  relation: string;
  direction: Direction;
  node: Node;
}

export interface ExplanationToken {
  kind: "TOKEN_KIND_NODE" | "TOKEN_KIND_PATH" | "TOKEN_KIND_RELATION";
  role: "TOKEN_ROLE_SOURCE" | "TOKEN_ROLE_TARGET" | "TOKEN_ROLE_BETWEEN" |
    "TOKEN_ROLE_UNSPECIFIED";
  node?: Node;
  attention_from_source: number;
  attention_from_target: number;
  path: PathStep[];
  path_count: Uint64;
  logit_effect: number;
}

export interface ExplanationEdge {
  source: number;
  target: number;
  relation: string;
}

export interface AttentionMatrix {
  layers: number;
  heads: number;
  tokens: number;
  weights: number[];
}

export interface PairFeature {
  name: string;
  value: number;
  contribution: number;
}

export interface Evidence {
  kind: string;
  token: number;
  logit_effect: number;
  probability_without: number;
  named: boolean;
  description: string;
}

export interface ExplainedContext {
  tokens: ExplanationToken[];
  logit: number;
  probability: number;
}

export interface Explanation {
  tokens: ExplanationToken[];
  edges: ExplanationEdge[];
  metapath: PathStep[];
  attention?: AttentionMatrix;
  pair_features: PairFeature[];
  distance: number;
  max_hops: number;
  truncated: boolean;
  summary: string;
  evidence: Evidence[];
  probability_without_named: number;
  probability_only_named: number;
  searched: string;
  // [attention.layers + 1, tokens, 2]: cosines with source and target.
  token_cosines: number[];
  // Of a link with several: the link's logit is the mean or the max of theirs.
  contexts: ExplainedContext[];
  context_pooling: string;
}

export interface LinkFlags {
  exists: boolean;
  notes: string[];
}

export interface Status {
  code: number;
  message: string;
}

export interface LinkResult {
  status: Status;
  source: Node;
  relation: string;
  target: Node;
  logit: number;
  logit_structural: number;
  logit_context: number;
  logit_knowledge: number;
  probability: number;
  probability_among_kind: number;
  decision: boolean;
  decision_threshold: number;
  explanation?: Explanation;
  flags: LinkFlags;
}

export interface PredictLinksResponse {
  results: LinkResult[];
  graph_version: Uint64;
  scorer: string;
  what_if?: WhatIfEffect;
}

export interface Recommendation {
  rank: number;
  node: Node;
  score: number;
  reranked: boolean;
  probability: number;
  probability_among_kind: number;
  decision: boolean;
  metapath: PathStep[];
  metapath_count: Uint64;
  flags: LinkFlags;
}

export interface RecommendLinksResponse {
  recommendation?: Recommendation;
  scorer: string;
  best_so_far: boolean;
  candidate_count: Uint64;
}

export interface FindNodesResponse {
  nodes: Node[];
  next_page_token: string;
  near_misses: string[];
}

export interface Neighbor {
  node: Node;
  relation: string;
  direction: Direction;
}

export interface GetNeighborsResponse {
  node: Node;
  neighbors: Neighbor[];
  next_page_token: string;
  total: Uint64;
}

export interface RelationInfo {
  name: string;
  links: Uint64;
  source_types: string[];
  target_types: string[];
}

export interface ListRelationsResponse {
  relations: RelationInfo[];
}

export interface CalibrationNumbers {
  temperature: number;
  offset: number;
  decision_threshold: number;
  base_rate: number;
  rows: Uint64;
}

export interface RelationCalibration {
  relation: string;
  plausible: CalibrationNumbers;
  among_kind: CalibrationNumbers;
}

export interface PairFeatureInfo {
  name: string;
  group: string;
  description: string;
}

export interface GetModelInfoResponse {
  model: string;
  bundle_id: string;
  preset: string;
  created: string;
  node_count: Uint64;
  link_count: Uint64;
  node_types: string[];
  embedding_dim: number;
  layers: number;
  heads: number;
  hidden_dim: number;
  context_strategy: string;
  max_context_nodes: number;
  own_pair_links: string;
  decision_threshold: number;
  temperature: number;
  metrics: Record<string, number>;
  graph_version: Uint64;
  base_graph_version: Uint64;
  device: string;
  server_version: string;
  leaky: boolean;
  scorer: string;
  scorer_reason: string;
  forward_path: string;
  instruction_set: string;
  base_rate: number;
  relation_calibrations: RelationCalibration[];
  pair_features: PairFeatureInfo[];
}
