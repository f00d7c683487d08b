/** The text of a file without its code, where brackets are not links. */
function proseOf(markdown) {
  return markdown.replace(/^```[^]*?^```$/gm, '').replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, '')
}

/**
 * Where the links and images of a file lead to.
 * @param {string} markdown
 * @returns {string[]} as they are written
 */
export function findLinks(markdown) {
  const prose = proseOf(markdown)
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)/g)]
  const named = [...prose.matchAll(/^\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm)]
  const bare = [...prose.matchAll(/<(https?:[^>]*)>/g)]
  return [...inline, ...named, ...bare].map(([, target]) => target)
}

/**
 * The anchors that GitHub gives to the headings of a file.
 * @param {string} markdown
 * @returns {Set<string>}
 */
export function findAnchors(markdown) {
  const anchors = new Set()
  const headings = markdown.replace(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} (.+?)(?: #+)?$/gm)
  for (const [, heading] of headings) {
    const plain = anchorOf(heading)
    let anchor = plain
    for (let count = 1; anchors.has(anchor); count++) anchor = `${plain}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

function anchorOf(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
}
