import { createInterface } from 'node:readline'
import { readArguments } from './read-arguments.ts'
import { type Commands, clusterCommands, describeCluster } from './cluster-commands.ts'
import { runCluster } from './run-cluster.ts'

async function obey(commands: Commands): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') console.log(await commands(line))
  }
  // Without a terminal there are no commands: the cluster runs until a signal ends it.
  await new Promise(() => {})
}

await runCluster({
  given: readArguments(process.argv.slice(2)),
  hear: ({ type, data }) => console.log(`webhook ${type} ${JSON.stringify(data)}`),
  work: async (cluster) => {
    console.log(describeCluster(cluster))
    // Keeps this process alive where there is no standard input.
    const alive = setInterval(() => {}, 60_000)
    await obey(clusterCommands(cluster)).finally(() => clearInterval(alive))
  }
})
process.exit()
