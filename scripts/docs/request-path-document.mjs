import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './markdown-files.mjs'
import { tracedUrl } from './trace/traced-request.mjs'

/**
 * A file that a request enters, with its functions in the order in which they are entered first.
 * @typedef {{ path: string, functions: string[] }} EnteredFile
 */

/**
 * Traces a first and a warm list, in a process of its own.
 * @returns {Promise<{ first: EnteredFile[], warm: EnteredFile[] }>}
 */
export async function traceLists() {
  const child = fork(join(root, 'scripts/docs/trace/trace-lists.mjs'), [], { execArgv: [] })
  const answered = once(child, 'message')
  const [[traced], [code]] = await Promise.all([
    Promise.race([answered, once(child, 'exit').then(() => [undefined])]),
    once(child, 'exit')
  ])
  if (traced === undefined) throw new Error(`the trace ended with the code ${code}`)
  return { first: filesOf(traced.first), warm: filesOf(traced.warm) }
}

function filesOf(entered) {
  const byPath = new Map()
  for (const { url, name } of entered) {
    const path = relative(root, fileURLToPath(url)).replace('/dist/', '/src/').replace(/\.js$/, '.ts')
    byPath.set(path, [...new Set([...(byPath.get(path) ?? []), name])])
  }
  return Array.from(byPath, ([path, functions]) => ({ path, functions }))
}

/**
 * The text of docs/request-path.md.
 * @param {{ first: EnteredFile[], warm: EnteredFile[] }} traced
 * @returns {string}
 */
export function requestPathDocument({ first, warm }) {
  const warmPaths = new Set(warm.map(({ path }) => path))
  const onlyFirst = first.filter(({ path }) => !warmPaths.has(path))
  return `# One request

\`GET ${tracedUrl}\` as a line through the files, recorded from
a running application: one model, \`rest\`, the memory connector. \`pnpm docs:request-path\` writes this page, and a test fails when its
files are not those of the trace. [How it is built](architecture.md) explains the steps.

- A **warm list** enters ${countOf(warm)}.
- The **first list** enters ${countOf(first)}:
  it also parses and compiles the filter, plans it in the connector, and compiles the serializer of the model, all of which is kept.

Files stand in the order in which they are entered first. Fastify's own files, and code that is made while the application
runs (conditions, orders, serializers), are left out. A function without a name goes by the function that made it.

## A warm list

${tableOf(warm)}

## What a first list enters besides

${tableOf(onlyFirst)}
`
}

function countOf(files) {
  const packages = files.map(({ path }) => path.split('/')[1])
  const parts = [...new Set(packages)].map((name) => `${packages.filter((one) => one === name).length} of ${name}`)
  return `${files.length} files (${parts.join(', ')}) and ${files.flatMap(({ functions }) => functions).length} functions`
}

function tableOf(files) {
  const rows = files.map(({ path, functions }, at) => {
    const [, name, , ...inner] = path.split('/')
    const file = `${name} [\`${inner.join('/').replace(/\.ts$/, '')}\`](../${path})`
    return [String(at + 1), file, functions.map((each) => `\`${each}\``).join(', '), purposeOf(path, functions)]
  })
  const all = [['#', 'file', 'functions', 'the first of them, in its own words'], ...rows]
  const widths = all[0].map((_, at) => Math.max(...all.map((row) => row[at].length)))
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`
  return [line(all[0]), line(widths.map((width) => '-'.repeat(width))), ...all.slice(1).map(line)].join('\n')
}

/** The first sentence of the first docstring that one of the functions has. */
function purposeOf(path, functions) {
  const source = readFileSync(join(root, path), 'utf8')
  const sentences = functions.map((name) => sentenceAbove(source, name.replace(/^(?:get |#)/, '')))
  return (sentences.find((sentence) => sentence !== undefined) ?? '').replaceAll('|', '\\|')
}

function sentenceAbove(source, name) {
  const declared = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*(?:export |async |static |abstract |readonly |get )*(?:function\\*? |const |class )?#?${name}\\b`
  )
  const text = declared
    .exec(source)?.[1]
    .replaceAll(/\s*\n\s*\*\s?/g, ' ')
    .trim()
  return text?.split(/(?<=[.:;])\s|\s@/)[0].replace(/[.:;]$/, '')
}
