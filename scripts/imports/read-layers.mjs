/**
 * The layers of a package as a table of CONTRIBUTING.md lists them: below the heading, one row for each, with the names of folders
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

/** The folder of `src` that a file lies in, or the name of a file that lies in none. */
const placeOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path)

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
    const [own, other] = [placeOf(from), placeOf(to)]
    if (levelOf(own) === undefined) return [`${from}: the table has no row for the folder \`${own}\``]
    if (own === other || levelOf(own) > (levelOf(other) ?? top) || (levelOf(own) === top && levelOf(other) === top))
      return []
    return [`${from} imports ${to}, but \`${own}\` is not above \`${other}\``]
  }
  return Array.from(graph).flatMap(([from, list]) => list.flatMap((to) => judge(from, to)))
}
