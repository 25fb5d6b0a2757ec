/** Attachments: their bytes are in R2, and only their keys are in the object. */

/**
 * Stores bytes as they arrive, so the object never has all of them in its memory.
 *
 * @param size - the number of bytes
 * @throws the error of the pieces, or an error if there are fewer or more bytes. Then nothing is stored.
 */
export async function storeFile(
  bucket: R2Bucket,
  key: string,
  size: number,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { readable, writable } = new FixedLengthStream(size);
  const writer = writable.getWriter();
  const write = async (): Promise<void> => {
    try {
      for await (const piece of pieces) await writer.write(piece);
      await writer.close();
    } catch (error) {
      await writer.abort(error);
      throw error;
    }
  };
  await Promise.all([write(), bucket.put(key, readable)]);
}
