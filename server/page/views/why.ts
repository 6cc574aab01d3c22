// Why: what a score rests on. From the sentence to the numbers: the sentence,
// the parts of the logit, the evidence, the context as a graph, the pair
// features, the attention matrices, how the representations move.

import type { Question } from "../api";
import { explainLink, getModelInfo } from "../api";
import { explainCommands } from "../commands";
import { attentionOf, contextGraph } from "../context_graph";
import { drawAttention } from "../drawings/attention";
import { drawMovement } from "../drawings/movement";
import { drawNetwork } from "../drawings/network";
import { signedBars } from "../drawings/signed_bars";
import type { Part } from "../elements";
import { el } from "../elements";
import type {
  Explanation, LinkResult, Node, PairFeature, PairFeatureInfo
} from "../messages";
import { answerTiles, flagNotes, linkTitle } from "../parts/answer";
import { copyAs, serverAddresses } from "../parts/copy_as";
import { tokenName } from "../parts/names";
import { linkView } from "../parts/question_form";
import { addressOf, linkAddress } from "../place";
import { attentionCounts, carrier, scoreParts } from "../score_parts";
import { count, percent, signed, visible } from "../text";

function carriers(result: LinkResult, scorer: string): Part[] {
  const bars = scoreParts(result, scorer).map(
      ({ label, value }) => ({ label: () => label, value, notes: [] }));
  return [
    el("h2", {}, "What carries the score"),
    el("p", {}, carrier(result, scorer), el(
        "span", { class: "muted" }, ` The scorer “${visible(scorer)}” ` +
        "answered.")),
    signedBars(
        `The parts of the logit ${signed(result.logit)}; above 0 speaks for ` +
        "the link", ["part", "logit"], bars)
  ];
}

// What the sentence rests on; nothing where it names no item.
function namedWords(explanation: Explanation): Part {
  return explanation.evidence.some(({ named }) => named) && el(
      "p", {}, "The sentence names what is bold: without all of it the " +
      "probability is ",
      el("b", {}, percent(explanation.probability_without_named)),
      ", with it alone ",
      el("b", {}, percent(explanation.probability_only_named)), ". That can " +
      "be more than the whole, when what is not named speaks against the " +
      "link.");
}

function evidenceParts(
    result: LinkResult, explanation: Explanation): Part[] {
  const bars = explanation.evidence.map((one) => ({
    label: () => one.named ?
      el("b", {}, visible(one.description)) : visible(one.description),
    value: one.logit_effect, notes: [percent(one.probability_without)]
  }));
  if (bars.length === 0) return [];
  return [
    el("h2", {}, "Evidence"),
    el("p", {}, "Each row was removed, and the link scored again. Evidence " +
       "overlaps, so the effects do not add up."),
    namedWords(explanation),
    signedBars(
        `Effects on the logit of ${percent(result.probability)}`,
        ["evidence", "effect", "without it"], bars)
  ];
}

// Words of this view that are not said elsewhere in it.
function wordsOfTheView(): HTMLElement {
  const words: [string, string][] = [
    ["logit", "the score before it becomes a probability: 0 is even, above 0 " +
      "speaks for the link. The probability is calibrated from it, by relation"],
    ["structure", "a network over counts: paths, neighbours, degrees"],
    ["context", "a network that pays attention to the tokens of the context"],
    ["what the ends are", "a network over the source and the target alone"],
    ["vectors", "what the vectors of the two nodes and of the relation say"],
    ["token", "what attention is paid to: a node, or all paths between the " +
      "ends that travel the same relations"],
    ["cosine", "how much two representations point the same way: 1 the same, " +
      "0 unrelated, −1 opposite"],
    ["pair feature", "one number about the pair that structure reads; its " +
      "value is scaled, and 0 is the mean of the training links"]
  ];
  return el(
      "details", { class: "card" }, el("summary", {}, "What the words mean"),
      el("dl", {}, words.map(([word, meaning]) => [
        el("dt", {}, el("b", {}, word)), el("dd", {}, `${meaning}.`)
      ])));
}

function featureParts(
    features: PairFeature[], infos: PairFeatureInfo[]): Part[] {
  if (features.length === 0) return [];
  const words = new Map(infos.map((one) => [one.name, one.description]));
  const bars = [...features].sort(
      (a, b) => Math.abs(b.contribution) - Math.abs(a.contribution)).map(
      ({ name, value, contribution }) => ({
        label: () => el("span", { title: visible(name) },
                        visible(words.get(name) ?? name)),
        value: contribution, notes: [value.toFixed(2)]
      }));
  return [
    el("h2", {}, "Pair features"),
    signedBars("Contributions to the logit of structure, the largest first",
               ["pair feature", "contribution", "value (0 = mean)"], bars)
  ];
}

// What the network over contexts does; folded away where it has no part in the
// score.
function networkParts(
    source: Node, explanation: Explanation, counts: boolean): Part {
  const { attention, tokens, token_cosines: cosines } = explanation;
  if (attention === undefined || attention.weights.length === 0) {
    return undefined;
  }
  const parts = [
    el("h2", {}, "Attention matrices"),
    drawAttention(source, tokens, attention),
    cosines.length > 0 && [
      el("h2", {}, "How the representations move"),
      drawMovement(source, tokens, cosines, attention.layers)
    ]
  ];
  return counts ? parts : el(
      "details", {},
      el("summary", {}, "Attention matrices, and how the representations " +
         "move: they have no part in this score"), parts);
}

// Of a link with several contexts: what each of them says.
function severalParts(source: Node, explanation: Explanation): Part[] {
  const { contexts, context_pooling: pooling } = explanation;
  if (contexts.length === 0) return [];
  const bars = contexts.map(({ tokens, logit, probability }) => {
    const between = tokens.filter(({ role }) => role === "TOKEN_ROLE_BETWEEN");
    return {
      label: () => between.length === 0 ? "nothing between the ends" : el(
          "span", {}, between.map((token, i) => [
            i > 0 && ", ", tokenName(source, token)
          ])),
      value: logit, notes: [percent(probability)]
    };
  });
  return [
    el("h2", {}, "Each context"),
    el("p", {}, `${contexts.length} contexts were drawn; all that is drawn ` +
       "above is of the first. The logit of the link is the " +
       `${pooling === "max" ? "largest" : "mean"} of theirs.`),
    signedBars("The link from each context alone",
               ["nodes between the ends", "logit", "probability"], bars)
  ];
}

function contextParts(
    result: LinkResult, explanation: Explanation, scorer: string): Part[] {
  const { source, target } = result;
  const counts = attentionCounts(result, scorer);
  const bars = explanation.tokens.map((token) => ({
    label: () => tokenName(source, token), value: token.logit_effect,
    notes: [
      percent(attentionOf(token)),
      Number(token.path_count) > 0 ? count(token.path_count) : ""
    ]
  }));
  return [
    el("h2", {}, "The context"),
    explanation.truncated && el("p", { class: "muted" },
                                `Not everything was searched: ${
                                  visible(explanation.searched)}.`),
    !counts && el(
        "p", {}, "Attention has no part in this score. The drawing shows what " +
        "was found between the ends; thickness is what the network over " +
        "contexts would look at."),
    drawNetwork(contextGraph(source, target, explanation),
                "What stands between the ends"),
    signedBars("The tokens of the context", [
      "token", "effect on the logit", "attention of the ends", "paths"
    ], bars),
    networkParts(source, explanation, counts),
    severalParts(source, explanation)
  ];
}

async function reasons(
    question: Question, signal: AbortSignal): Promise<Part[]> {
  const [{ result, response }, info] = await Promise.all(
      [explainLink(question, undefined, signal), getModelInfo(signal)]);
  const { explanation, source, relation, target } = result;
  if (explanation === undefined) return [linkTitle(result)];
  return [
    linkTitle(result),
    el("p", { class: "summary" }, visible(explanation.summary), "."),
    answerTiles(result),
    flagNotes(result.flags),
    el("p", {}, el(
        "a", { href: linkAddress("what-if", source, relation, target) },
        "What would change this answer")),
    wordsOfTheView(), carriers(result, response.scorer),
    evidenceParts(result, explanation),
    contextParts(result, explanation, response.scorer),
    featureParts(explanation.pair_features, info.pair_features),
    copyAs(explainCommands(serverAddresses(), question, []))
  ];
}

export const whyView = linkView({
  title: "Why", button: "Explain", waiting: "Weighing the evidence",
  address: (_, asked) => addressOf("why", { ...asked }),
  answer: (room, question) => reasons(question, room.signal)
});
