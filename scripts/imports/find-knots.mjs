/**
 * The knots of a graph: the largest groups in which every file leads to every other one, and back.
 * @param {ReadonlyMap<string, readonly string[]>} graph what each file leads to
 * @returns {string[][]} the largest first, each in the order of the alphabet
 */
export function findKnots(graph) {
  const back = reversed(graph)
  const group = new Set()
  const knots = []
  for (const start of finishingOrder(graph).toReversed()) {
    const members = reach(start, back, group)
    if (members.length > 1 || graph.get(start)?.includes(start))
      knots.push(members.toSorted((a, b) => a.localeCompare(b)))
  }
  return knots.toSorted((a, b) => b.length - a.length)
}

/** Every file after all that it leads to, but for those that lead back to it. */
function finishingOrder(graph) {
  const seen = new Set()
  return Array.from(graph.keys()).flatMap((start) => reach(start, graph, seen))
}

function reversed(graph) {
  const back = new Map(Array.from(graph.keys(), (name) => [name, []]))
  for (const [from, list] of graph) for (const to of list) back.get(to)?.push(from)
  return back
}

/** What can be reached from `name` and is not in `seen`, which it then is: what is left last comes last. */
function reach(name, graph, seen) {
  if (seen.has(name) || !graph.has(name)) return []
  seen.add(name)
  return [...graph.get(name).flatMap((next) => reach(next, graph, seen)), name]
}

/**
 * One of the shortest ways around from a file to itself.
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @param {string} start
 * @returns {string[]} beginning and ending with the file; empty where there is none
 */
export function wayAround(graph, start) {
  const cameFrom = new Map()
  const waiting = [start]
  while (waiting.length > 0 && !cameFrom.has(start)) {
    const name = waiting.shift()
    const next = (graph.get(name) ?? []).filter((to) => !cameFrom.has(to))
    for (const to of next) cameFrom.set(to, name)
    waiting.push(...next)
  }
  if (!cameFrom.has(start)) return []
  const way = [start]
  do way.unshift(cameFrom.get(way[0]))
  while (way[0] !== start)
  return way
}
