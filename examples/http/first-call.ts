/** Calls the counter as a program in another language does. The second call is a repetition, which does not count. */
const baseUrl = 'http://localhost:8787';
const url = `${baseUrl}/__rpc/COUNTER/mine/increment`;
const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() };

export async function increment(): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body: '[5]' });
  console.log(response.status, await response.json());
}

await increment();
await increment();
