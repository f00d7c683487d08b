import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ratiosOf, throughput } from '../commands/print-load.ts'
import type { LoadLine, PlaceResult } from '../commands/run-load.ts'
import type { ResultsFile } from '../keep-results.ts'
import { repository } from '../origin.ts'
import { widest } from '../print-table.ts'
import { type Spread, spreadOfRatios } from '../statistics.ts'
import { type Step, steps } from './steps.ts'

/** What was measured, step by step. */
export type Results = ReadonlyMap<Step, ResultsFile<unknown>>

/** A page and its pictures, by the names of their files. */
export interface Page {
  readonly text: string
  readonly pictures: Readonly<Record<string, string>>
}

const introduction = `# Figures

How fast Modelwire is, beside servers that are written by hand for the same answers and beside other frameworks. This page and its
pictures are written by \`pnpm bench report\`; [bench](../bench/README.md) tells what is measured and how.`

const howToRead = `## How to read it

- **µs** is CPU of one request, of the server's process and, where there is one, of the database. All are medians.
- **ratio** is what the hand-written server needs ÷ what Modelwire needs, and in requests a second Modelwire ÷ hand-written: 1 is as good,
  0.5 is half as good. Of two hand-written servers over tables the better one counts, by each measure for itself.
- **±** is the spread: half of the distance between the quartiles of the rounds, as a part of the median. What spreads by more than a
  tenth is **not measured**, and has no bar.
- Servers, databases and the load generator share the machine.`

/** The page of what was measured. */
export function makePage(results: Results): Page {
  const pictures: Record<string, string> = {}
  const parts: string[] = [introduction, originText(results), howToRead]
  let last: Step['section'] | undefined
  for (const step of steps) {
    const found = results.get(step)
    if (found === undefined) continue
    // The command of this step wrote them.
    const drawing = step.draw(found.results as never)
    Object.assign(pictures, drawing.pictures)
    if (last !== step.section) parts.push(`## ${step.section.title}`, step.section.text)
    last = step.section
    parts.push(drawing.text, `${step.sizes(found.options)}; \`pnpm bench ${step.args}\`.`)
  }
  return { text: `${parts.join('\n\n')}\n`, pictures }
}

const nameOf = ({ origin: { machine, commit } }: ResultsFile<unknown>): string => `${machine}, commit ${commit}`

/** What figures were measured on; where that is not the same for all steps, which ones. */
function originText(results: Results): string {
  const versions = new Set([...results.values()].flatMap(({ results: each }) => versionsIn(each)))
  const names = [...new Set([...results.values()].map(nameOf))]
  const lines = names.map((name) => {
    const found = [...results].filter(([, kept]) => nameOf(kept) === name)
    const dates = [...new Set(found.map(([, { origin }]) => origin.date))].toSorted()
    const which = names.length === 1 ? '' : `; of these: ${found.map(([step]) => step.name).join(', ')}`
    return `- ${name}, ${dates.join(' and ')}${which}`
  })
  const missing = steps.filter((step) => !results.has(step)).map(({ name }) => `\`${name}\``)
  return [
    '## Measured on',
    [...lines, ...(versions.size === 0 ? [] : [`- ${[...versions].join(', ')}`])].join('\n'),
    ...(missing.length === 0 ? [] : [`Not measured here: ${missing.join(', ')}.`])
  ].join('\n\n')
}

/** Names and versions of databases, where results have such. */
const versionsIn = (results: unknown): string[] =>
  Array.isArray(results) ? results.flatMap((each: Partial<PlaceResult>) => each.version ?? []) : []

/**
 * Writes the page, its pictures and the sentences of the README; all of it to `trial`, without these, where that is given.
 * @returns what was written
 */
export async function writePage(results: Results, trial: string | undefined): Promise<string> {
  const { text, pictures } = makePage(results)
  const folder = trial ?? join(repository, 'docs')
  await rm(join(folder, 'figures'), { recursive: true, force: true })
  await mkdir(join(folder, 'figures'), { recursive: true })
  const page = join(folder, 'figures.md')
  await writeFile(page, text)
  for (const [name, svg] of Object.entries(pictures)) await writeFile(join(folder, 'figures', `${name}.svg`), svg)
  if (trial === undefined) await writeSentences(join(repository, 'README.md'), makeSentences(results))
  const format = join(repository, 'node_modules/.bin/oxfmt')
  if (trial === undefined && existsSync(format)) spawnSync(format, [page], { stdio: 'inherit' })
  return `${page} and ${Object.keys(pictures).length} pictures are written`
}

const [begin, end] = ['<!-- figures -->', '<!-- /figures -->']

async function writeSentences(file: string, sentences: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (sentences === '' || from < 0 || to < from) return
  await writeFile(file, `${text.slice(0, from + begin.length)}\n\n${sentences}\n\n${text.slice(to)}`)
}

/** Three figures in a sentence each, as far as they are measured. */
export function makeSentences(results: Results): string {
  const lineOf = (stepName: string, name: string): LoadLine['runs'] => {
    const [, found] = [...results].find(([step]) => step.name === stepName) ?? []
    // These steps measure a load.
    const [place] = (found?.results ?? []) as readonly PlaceResult[]
    return place?.lines.find((line) => line.name === name)?.runs ?? {}
  }
  const { modelwire = [], loopback = [] } = lineOf('others-memory', 'W1')
  const sentences = [
    sentence(
      'A read by id from memory takes',
      inverse(ratiosOf(lineOf('memory', 'W1')).cpu),
      'the CPU of a hand-written Fastify server.'
    ),
    sentence(
      'A list of 20 with related records from PostgreSQL takes',
      inverse(ratiosOf(lineOf('postgresql', 'W4')).cpu),
      'its CPU, database included.'
    ),
    sentence(
      'Reads by id from 10,000 in memory are answered',
      spreadOfRatios(modelwire.map(throughput), loopback.map(throughput)),
      'as fast as by LoopBack 3.'
    )
  ]
  return sentences.filter((text) => text !== '').join('\n')
}

const inverse = ({ median, spread }: Spread): Spread => ({ median: 1 / median, spread })

const sentence = (subject: string, { median, spread }: Spread, rest: string): string =>
  spread <= widest
    ? `- ${subject} **${median.toLocaleString('en-US', { maximumSignificantDigits: 2 })} times** ${rest}`
    : ''
