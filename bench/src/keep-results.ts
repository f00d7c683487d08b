import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type BenchOptions, InvalidBenchOption } from './options.ts'
import type { Origin } from './origin.ts'

/** What a file of `--json` holds. */
export interface ResultsFile<Results> {
  readonly origin: Origin
  readonly options: BenchOptions
  /** All that the options ask for is measured. */
  readonly done: boolean
  readonly results: Results
}

/** Writes results to a file, with what they were measured on and how. */
export async function writeResults<Results>(file: string, content: ResultsFile<Results>): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(content, null, 2))
}

/** What must be the same for results to belong together. */
const sizesOf = ({ pairs: _pairs, json: _json, profile: _profile, ...sizes }: BenchOptions): unknown => sizes

/**
 * The results of a file that the same options have written, in this commit and on this machine; undefined where there is none.
 * @throws {ResultsUnfit} it holds no results, or those of other options, of another commit or machine
 */
export async function readResults<Results>(
  file: string,
  options: BenchOptions,
  { machine, commit }: Origin
): Promise<ResultsFile<Results> | undefined> {
  const kept = await readFileOf<Results>(file, options)
  if (kept === undefined) return undefined
  const other = kept.origin.commit === commit ? kept.origin.machine : `commit ${kept.origin.commit}`
  if (other !== machine)
    throw refuse(file, `is of ${other}, not of ${other === kept.origin.machine ? machine : `commit ${commit}`}`)
  return kept
}

/**
 * The same, of whatever commit and machine.
 * @throws {ResultsUnfit} it holds no results, or those of other options
 */
export async function readFileOf<Results>(
  file: string,
  options: BenchOptions
): Promise<ResultsFile<Results> | undefined> {
  if (!existsSync(file)) return undefined
  const kept = await parseFile<Results>(file)
  const asked: BenchOptions = JSON.parse(JSON.stringify(options)) // as it is written
  if (kept.options === undefined || !isDeepStrictEqual(sizesOf(kept.options), sizesOf(asked)))
    throw refuse(file, 'has no results of these options')
  const { origin, done = false, results } = kept
  if (origin === undefined || results === undefined) throw refuse(file, 'has no results')
  const isComplete = done && kept.options.pairs === options.pairs
  return { origin, options: kept.options, done: isComplete, results }
}

/** Kept results cannot be gone on with. */
export class ResultsUnfit extends InvalidBenchOption {}

const refuse = (file: string, why: string, cause?: unknown): ResultsUnfit =>
  new ResultsUnfit(`${file} ${why}: move it, or name another file`, { cause })

async function parseFile<Results>(file: string): Promise<Partial<ResultsFile<Results>>> {
  try {
    // Anything else than an object has no options.
    return { ...(JSON.parse(await readFile(file, 'utf8')) as Partial<ResultsFile<Results>>) }
  } catch (cause) {
    throw refuse(file, 'is no JSON', cause)
  }
}
