import { findCodeBlocks } from './find-code-blocks.mjs'

/**
 * A program that a page shows, with the files of the same page that it imports, what it says that it prints, and the
 * commands that the page tries on it.
 * @typedef {{ place: string, main: string, files: Record<string, string>, prints: string[], commands: Command[] }} Program
 * @typedef {{ text: string, answer: string | undefined }} Command
 */

/**
 * The blocks of TypeScript and JavaScript that are programs: those that import something.
 * @param {Map<string, string>} pages texts by path
 * @returns {Program[]}
 */
export function listPrograms(pages) {
  return [...pages].flatMap(([path, markdown]) => programsOf(path, findCodeBlocks(markdown)))
}

function programsOf(path, blocks) {
  const named = {}
  const programs = []
  for (const { language, name, code, line } of blocks) {
    if (language === 'sh') programs.at(-1)?.commands.push(...curlCommands(code))
    if (!['ts', 'js'].includes(language) || !/^import /m.test(code)) continue
    const main = name ?? `program.${language}`
    if (name !== undefined) named[name] = code
    const files = { ...named, [main]: code }
    programs.push({ place: `${path}:${line}`, main, files: partsOf(files, main), prints: printsOf(code), commands: [] })
  }
  return programs
}

/** The main file and the files that it imports, and these import. */
function partsOf(files, main) {
  const parts = new Set([main])
  for (const part of parts) importsOf(files, part).forEach((name) => parts.add(name))
  return Object.fromEntries([...parts].map((name) => [name, files[name]]))
}

function importsOf(files, name) {
  const imported = [...files[name].matchAll(/from '\.\/([\w-]+)\.js'/g)].map(([, path]) => `${path}.ts`)
  return imported.filter((each) => files[each] !== undefined)
}

function printsOf(code) {
  return [...code.matchAll(/^.*console\.log\(.*\) \/\/ (.+)$/gm)].map(([, text]) => text)
}

/** Commands that ask a server, each with the line below it that shows the answer. */
function curlCommands(code) {
  const commands = code.matchAll(/^(curl .*(?:\\\n.*)*)(?:\n# (.+))?/gm)
  return Array.from(commands, ([, text, answer]) => ({ text, answer }))
}
