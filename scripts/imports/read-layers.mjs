/**
 * The layers of a package as a table of docs/architecture.md lists them: below the heading, one row for each, with the names of folders
 * and files in the first cell.
 * @param {string} markdown
 * @param {string} heading
 * @returns {string[][]} the lowest layer first
 */
export function readLayers(markdown, heading) {
  const [, section = ''] = markdown.split(`${heading}\n`)
  const rows = section.split(/^#/m)[0].matchAll(/^\| (`[^|]+?) *\|/gm)
  return Array.from(rows, ([, cell]) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name))
}

/**
 * The files that a table below the heading names in its last column, without `.ts`: from `src`, or from a folder of the first column.
 * @param {string} markdown
 * @param {string} heading
 * @returns {{ folders: string[], file: string }[]}
 */
export function readFiles(markdown, heading) {
  const [, section = ''] = markdown.split(`${heading}\n`)
  const rows = section.split(/^#/m)[0].matchAll(/^\| (`[^|]+?) *\|[^|]*\|([^|]+)\|$/gm)
  return Array.from(rows, ([, first, last]) => {
    const folders = Array.from(first.matchAll(/`([^`.]+)`/g), ([, name]) => name)
    return Array.from(last.matchAll(/`([a-z\d-]+(?:\/[a-z\d-]+)*)`/g), ([, file]) => ({ folders, file }))
  }).flat()
}

/** The longest path of a layer that a file is at or below; else the folder of `src` that it lies in, or its own name. */
function placeOf(path, levels) {
  const names = path.split('/')
  const paths = names.map((_name, index) => names.slice(0, names.length - index).join('/'))
  return paths.find((place) => levels.has(place)) ?? names[0]
}

/**
 * The imports that go against the order of layers: a file may import its own folder and lower layers.
 * @param {ReadonlyMap<string, readonly string[]>} graph what each file imports, by paths from the package's `src`
 * @param {readonly (readonly string[])[]} layers the lowest first; files of `src` that no layer names are above all of them
 * @returns {string[]} a message for each
 */
export function findUpward(graph, layers) {
  const levels = new Map(layers.flatMap((names, level) => names.map((name) => [name, level])))
  const top = layers.length
  const levelOf = (place) => levels.get(place) ?? (place.endsWith('.ts') ? top : undefined)
  const judge = (from, to) => {
    const [own, other] = [placeOf(from, levels), placeOf(to, levels)]
    if (levelOf(own) === undefined) return [`${from}: the table has no row for the folder \`${own}\``]
    if (own === other || levelOf(own) > (levelOf(other) ?? top) || (levelOf(own) === top && levelOf(other) === top))
      return []
    return [`${from} imports ${to}, but \`${own}\` is not above \`${other}\``]
  }
  return Array.from(graph).flatMap(([from, list]) => list.flatMap((to) => judge(from, to)))
}
