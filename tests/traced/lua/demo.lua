-- What a Lua program does all day, in small: closures, strings, tables, coroutines, garbage.
-- It prints the same on every machine and on every run.

-- Closures: a counter that remembers.
local function counter(step)
    local n = 0
    return function()
        n = n + step
        return n
    end
end

local by_three = counter(3)
for _ = 1, 9 do by_three() end
print("closure", by_three())

-- Strings: words, patterns, formats.
local text = "the quick brown fox jumps over the lazy dog"
local words = {}
for word in text:gmatch("%a+") do
    words[#words + 1] = word:sub(1, 1):upper() .. word:sub(2)
end
print("string", table.concat(words, " "), #text:rep(3, "/"), ("%05.1f|%-4s|%x"):format(3.25, "ab", 48879))

-- Tables: a sort with its own order, a metatable.
table.sort(words, function(a, b)
    if #a ~= #b then return #a < #b end
    return a < b
end)
print("table", table.concat(words, ","))

local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vector) end
function Vector:length2() return self.x * self.x + self.y * self.y end

local sum = setmetatable({ x = 0, y = 0 }, Vector)
for i = 1, 20 do sum = sum + setmetatable({ x = i, y = -i }, Vector) end
print("metatable", sum.x, sum.y, sum:length2())

-- Coroutines: a sieve, one filter for each prime.
local function numbers(limit)
    return coroutine.wrap(function()
        for n = 2, limit do coroutine.yield(n) end
    end)
end

local function without_multiples(prime, source)
    return coroutine.wrap(function()
        for n in source do
            if n % prime ~= 0 then coroutine.yield(n) end
        end
    end)
end

local primes, source = {}, numbers(50)
while true do
    local prime = source()
    if not prime then break end
    primes[#primes + 1] = prime
    source = without_multiples(prime, source)
end
print("coroutine", table.concat(primes, " "))

-- Errors leave several calls at once.
local function fail(depth)
    if depth == 0 then error({ code = 42 }) end
    return (fail(depth - 1))
end
local ok, problem = pcall(fail, 10)
print("error", ok, problem.code)

-- Garbage: everything that nobody holds goes, everything else stays.
local finalized = 0
local weak = setmetatable({}, { __mode = "v" })
local kept = {}
for i = 1, 200 do
    local object = setmetatable({ i }, { __gc = function() finalized = finalized + 1 end })
    weak[i] = object
    if i % 10 == 0 then kept[#kept + 1] = object end
end
collectgarbage()
collectgarbage()
local alive = 0
for _ in pairs(weak) do alive = alive + 1 end
print("garbage", finalized, alive, #kept)
