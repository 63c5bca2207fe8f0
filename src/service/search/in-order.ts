/** Returns a search for the place of a number in ascending ones, or -1: fastest for ascending queries. */
export function placesIn(numbers: Float64Array): (number: number) => number {
  let at = 0
  let before = 0
  return (number) => {
    if (number < before) at = 0
    before = number
    while (at < numbers.length && numbers[at]! < number) at++
    return numbers[at] === number ? at : -1
  }
}
