// @ts-check
import pg from "pg";

/**
 * @param {string} url
 * @returns {Promise<import("./open-list.mjs").List>}
 */
export async function postgresList(url) {
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  pool.on("error", (error) => console.error(`The database: ${error.message}`));
  await pool.query(
    "CREATE TABLE IF NOT EXISTS suppressions (email text PRIMARY KEY, reason text NOT NULL, source text NOT NULL, requested_at timestamptz NOT NULL)",
  );
  return {
    async add({ email, reason, source, requestedAt }) {
      const added = await pool.query("INSERT INTO suppressions VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", [
        email,
        reason,
        source,
        requestedAt,
      ]);
      return added.rowCount === 1;
    },
    async requestedAt(email) {
      const { rows } = await pool.query("SELECT requested_at FROM suppressions WHERE email = $1", [email]);
      return rows[0]?.requested_at.toISOString() ?? null;
    },
    async entries() {
      const { rows } = await pool.query("SELECT * FROM suppressions ORDER BY requested_at, email");
      return rows.map(({ email, reason, source, requested_at }) => ({
        email,
        reason,
        source,
        requestedAt: requested_at.toISOString(),
      }));
    },
    close: () => pool.end(),
  };
}
