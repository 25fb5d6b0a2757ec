/**
 * @param {number} count - an integer
 * @returns {string} the number with its digits in groups of three
 */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
