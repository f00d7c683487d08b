import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AllowedDifference, findRule } from '../conversations/allowed-difference.ts'
import type { Description, Operation } from './description.ts'
import { type Exchange, isOneSided, modelsOf } from './exchange.ts'
import { nameOf, relationsOf } from './operation-name.ts'

const rulesFile = join(import.meta.dirname, '..', '..', 'allowed-differences.json')

/** The rules of `allowed-differences.json`. */
export async function readRules(): Promise<readonly AllowedDifference[]> {
  return JSON.parse(await readFile(rulesFile, 'utf8')) as readonly AllowedDifference[] // Its form is tested.
}

/** The JSON files of an application, in which rules look for what models say. */
export async function jsonFiles(dir: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(dir, { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules' && name !== 'client' && !name.startsWith('.'))
      .map(async (entry): Promise<Readonly<Record<string, string>>> => {
        const path = join(dir, entry.name)
        if (entry.isDirectory()) return jsonFiles(path)
        return entry.isFile() && entry.name.endsWith('.json') ? { [path]: await readFile(path, 'utf8') } : {}
      })
  )
  return Object.assign({}, ...found) as Readonly<Record<string, string>> // All of them are of this form.
}

const verbs: Readonly<Record<string, string>> = { __get__: 'list', __findById__: 'findById' }

/** An operation as the rules name it, such as `findOne` or `through link`. */
function kindOf(description: Description, operation: Operation): string {
  const name = nameOf(operation)
  const relation = relationsOf(description, name).at(-1)?.described
  if (relation === undefined) return name.verb
  return `${relation.through ? 'through' : relation.kind} ${verbs[name.verb] ?? name.verb.replaceAll('__', '')}`
}

/** Two answers differ in more than the order of names or the wording of an error. */
export const isUnlike = ({ likeness }: Exchange): boolean => ['status', 'header', 'body'].includes(likeness)

/** What differences are held against. */
export interface Allowances {
  readonly rules: readonly AllowedDifference[]
  /** Those of the application. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * Exchanges with the rules that allow all of their differences, where there are some. A rule that allows a write to one side alone
 * allows what follows for its models, too.
 */
export function allowDifferences(
  exchanges: readonly Exchange[],
  description: Description,
  allowances: Allowances
): readonly Exchange[] {
  const causes = new Map<string, readonly string[]>()
  return exchanges.map((exchange) => {
    const judged = allowOwn(exchange, description, allowances)
    const models = modelsOf(description, exchange.request)
    const before = models.flatMap((model) => causes.get(model) ?? [])
    if (isOneSided(exchange) && !exchange.follows) for (const model of models) causes.set(model, judged.allowed ?? [])
    if (judged.allowed !== undefined || !isUnlike(exchange) || !exchange.follows || before.length === 0) return judged
    return { ...judged, allowed: [...new Set(before)] }
  })
}

function allowOwn(exchange: Exchange, description: Description, { rules, files }: Allowances): Exchange {
  const { request, line, loopback, modelwire, differences } = exchange
  if (!isUnlike(exchange)) return exchange
  const [method = '', path = '', ...body] = line.split(' ')
  const asked = { kind: kindOf(description, request.operation), method, path, body: body.join(' ') }
  const found = differences.map((difference) =>
    findRule({ request: asked, loopback, modelwire, difference, files }, rules)
  )
  const allowed = found.filter((rule) => rule !== undefined).map(({ rule }) => rule)
  return allowed.length === found.length ? { ...exchange, allowed: [...new Set(allowed)] } : exchange
}
