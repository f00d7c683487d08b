import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const byFile = Map.groupBy?.(JSON.parse(readFileSync(process.env.MUTANTS, 'utf8')), ({ file }) => file) ?? groups()

function groups() {
  const lists = new Map()
  for (const mutant of JSON.parse(readFileSync(process.env.MUTANTS, 'utf8')))
    lists.set(mutant.file, [...(lists.get(mutant.file) ?? []), mutant])
  return lists
}

/** Code with all mutants: `(isMutant(1) ? undefined : check(x))`. */
function mutate(code, mutants) {
  const inserts = mutants.flatMap(({ id, start, end, replacement }) => [
    { at: start, outer: end - start, text: `(isMutant(${id}) ? (${replacement}) : ` },
    { at: end, outer: -(end - start), text: ')' }
  ])
  // What starts at the same place and is longer comes first, what ends there and is shorter.
  inserts.sort((a, b) => a.at - b.at || (a.outer < 0 ? 0 : 1) - (b.outer < 0 ? 0 : 1) || b.outer - a.outer)
  const parts = []
  let last = 0
  for (const { at, text } of inserts) {
    parts.push(code.slice(last, at), text)
    last = at
  }
  return parts.join('') + code.slice(last)
}

/** Node's hook for loading modules. */
export async function load(url, context, next) {
  const mutants = url.startsWith('file:') ? byFile.get(fileURLToPath(url)) : undefined
  const loaded = await next(url, context)
  return mutants === undefined ? loaded : { ...loaded, source: mutate(String(loaded.source), mutants) }
}
