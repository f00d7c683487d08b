const provided =
  /^(loopback|loopback-boot|loopback-datasource-juggler|strong-remoting|loopback-component-(explorer|oauth2|storage))(\/|$)/

/** True for the modules of LoopBack, and what lies within them, which scripts get from Modelwire. */
export function isProvided(name: string): boolean {
  return provided.test(name)
}
