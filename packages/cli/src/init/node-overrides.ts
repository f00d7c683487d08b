/**
 * What package.json adds where the project is made with Node 20: the newest versions of some transitive dependencies
 * require Node 22, and npm warns. These versions hold the same code.
 * @param node a version of Node, as `process.versions.node` has it
 */
export function nodeOverrides(node: string): { overrides?: object } {
  if (Number.parseInt(node, 10) >= 22) return {}
  const cookie = { cookie: '^1.1.1' }
  return {
    overrides: {
      '@fastify/cookie': cookie,
      '@fastify/static': { 'content-disposition': '^2.0.1' },
      'light-my-request': cookie
    }
  }
}
