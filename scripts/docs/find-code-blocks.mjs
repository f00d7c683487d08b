/**
 * A block of code in a Markdown file. A word behind the language names the file that it is: ```ts server.ts
 * @typedef {{ language: string, name: string | undefined, code: string, line: number }} CodeBlock
 */

/**
 * The blocks of code of a file that name their language.
 * @param {string} markdown
 * @returns {CodeBlock[]}
 */
export function findCodeBlocks(markdown) {
  const blocks = markdown.matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)^```$/gm)
  return Array.from(blocks, ({ 1: language, 2: name, 3: code, index }) => ({
    language,
    name,
    code,
    line: markdown.slice(0, index).split('\n').length
  }))
}
