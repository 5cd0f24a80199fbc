import { type Html, html, htmlPage, htmlTable } from '@loyalty/platform/base/html';
import { factsOf, type ModelCard, reliabilityDiagram, textOf } from './model-card.ts';
import { numberOf, objectOf, reportStatus } from './report.ts';

/** Renders a model card as a page without scripts. */
export const cardPage = (card: ModelCard): string =>
  htmlPage({ title: `Model card: ${card.version.name}`, body: cardBody(card) });

const cardBody = (card: ModelCard): Html => html`${factsOf(identity(card))}
<h2>Intended use</h2>
${list(card.uses)}
<p>It is not for:</p>
${list(card.misuses)}
<h2>Data</h2>
${factsOf(card.data)}
<h2>Method</h2>
${factsOf(card.method)}
<h2>Evaluation</h2>
<p>${card.evaluation.passed ? 'Every gate is passed.' : 'Not every gate is passed.'}
Samples that are judged were not trained on.</p>
${metricsTable(card)}
${gatesTable(card)}
<h2>Calibration</h2>
${reliabilityDiagram(card)}
${htmlTable({
  caption: 'Groups of held-out samples with similar scores',
  head: ['Samples', 'Mean score', 'Observed share'],
  rows: card.calibration.map(({ count, predicted, observed }) => [count, predicted, observed]),
})}
<h2>Slices</h2>
${slicesTable(card)}
<h2>What it uses</h2>
${htmlTable({
  caption: 'Features',
  head: ['Feature', 'Weight, or share of the gain'],
  rows: card.features.map(({ name, value }) => [String(name), numberOf(value)]),
})}
<h2>Checks for leaks</h2>
${factsOf(card.leakage)}
<h2>Limitations</h2>
${list(card.limitations)}
${rangesTable(card)}`;

const list = (sentences: readonly string[]): Html =>
  html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

const identity = ({ version, report }: ModelCard): Record<string, unknown> => ({
  version: version.id,
  subject: version.subject.toLowerCase(),
  origin: version.origin.toLowerCase(),
  source: version.source.toLowerCase().replace('_', ' '),
  'horizon in days': version.horizon,
  status: version.status.toLowerCase(),
  created: version.createdAt.toISOString(),
  fingerprint: report.fingerprint,
  report: report.id,
  'report hash': report.reportHash,
  'report status': reportStatus(report).toLowerCase(),
  evaluated: report.createdAt.toISOString(),
  reviewed: report.reviewedAt?.toISOString(),
});

function metricsTable({ evaluation: { metrics, baseline } }: ModelCard): Html {
  const rows = Object.entries(metrics).map(([name, figure]) => {
    const { value, low, high } = objectOf(figure);
    return [name, numberOf(value), numberOf(low), numberOf(high)];
  });
  const without = Object.entries(baseline).map(([name, value]) => [name, numberOf(value)]);
  return html`${htmlTable({
    caption: 'Metrics with bounds of 95%',
    head: ['Metric', 'Value', 'Low', 'High'],
    rows,
  })}
${htmlTable({ caption: 'Without the version', head: ['Metric', 'Value'], rows: without })}`;
}

const gatesTable = ({ evaluation: { gates } }: ModelCard): Html =>
  htmlTable({
    caption: 'Gates',
    head: ['Gate', 'Result', 'Value', 'Rule', 'Threshold'],
    rows: gates.map(({ name, passed, value, rule, threshold }) => [
      ...[name, passed ? 'passed' : 'not passed', value, rule, threshold],
    ]),
  });

const slicesTable = ({ slices }: ModelCard): Html =>
  htmlTable({
    caption: 'Metrics of parts of the held-out samples',
    head: ['By', 'Part', 'Samples', 'Figures'],
    rows: slices.map(({ by, name, rows, figures, metrics }) => [
      ...[String(by), String(name), numberOf(rows), textOf(figures ?? metrics)],
    ]),
  });

function rangesTable({ outOfDistribution }: ModelCard): Html {
  const features = outOfDistribution['features'];
  return htmlTable({
    caption: 'Ranges outside of which there is no answer',
    head: ['Feature', 'From', 'To'],
    rows: (Array.isArray(features) ? features.map(objectOf) : []).map(({ name, low, high }) => [
      ...[String(name), numberOf(low), numberOf(high)],
    ]),
  });
}
